/// What a store had reached at one time, for an app to keep elsewhere: opened with an anchor, a store
/// that was put back to an earlier state is refused, which can't be told from inside.
///
///     open epoch 4 · lineage 16 · commit 8, little-endian: 28 bytes
public struct StoreAnchor: Hashable, Sendable, Codable {
  /// The size of an anchor's bytes.
  public static let byteCount = 28

  /// The open for writing that made the commit.
  public let openEpoch: UInt32
  /// That open's sixteen random bytes.
  public let lineage: StoreID
  /// The last commit that was on the medium for certain.
  public let commit: CommitNumber

  init(openEpoch: UInt32, lineage: StoreID, commit: CommitNumber) {
    self.openEpoch = openEpoch
    self.lineage = lineage
    self.commit = commit
  }

  /// An anchor from its bytes, or nil where there are not 28.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    var reader = ByteReader(bytes)
    do {
      openEpoch = try reader.integer()
      lineage = try reader.identity()
      commit = try reader.integer()
    } catch { return nil }
  }

  /// The anchor's 28 bytes.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.append(openEpoch)
    writer.append(lineage.bytes)
    writer.append(commit)
    return writer.bytes
  }

  /// Refuses a store that is older than the anchor, or that went on from an older state.
  func check(
    against state: ManifestState, lastCommit: CommitNumber, path: String
  ) throws(StoreError) {
    let opens =
      state.pastOpens
      + [ManifestState.Open(epoch: state.openEpoch, lineage: state.lineage, firstCommit: 0)]
    guard let index = opens.firstIndex(where: { $0.epoch == openEpoch }) else {
      if openEpoch > state.openEpoch { throw rolledBack(lastCommit, path) }
      throw forked("the store no longer remembers the anchor's open", path)
    }
    guard opens[index].lineage == lineage else {
      throw forked("the anchor is of another copy", path)
    }
    // A past open's entry names the commit at which the open after it begins.
    let isLast = index == opens.count - 1
    if isLast, commit > lastCommit { throw rolledBack(lastCommit, path) }
    if !isLast, commit >= opens[index].firstCommit {
      throw forked("the store went on from before the anchor", path)
    }
  }

  private func rolledBack(_ found: CommitNumber, _ path: String) -> StoreError {
    StoreError(
      .rolledBack,
      "the store is older than its anchor: it has commits up to \(found), the anchor \(commit); "
        + "put the newer files back", file: path)
  }

  private func forked(_ what: String, _ path: String) -> StoreError {
    StoreError(
      .forked, "\(what): the store and the anchor belong to different copies", file: path)
  }
}
