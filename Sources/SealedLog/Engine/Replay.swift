internal import SealedFiles

/// Reads the logs that the manifest names back into memtables.
struct Replay {
  let files: StoreFiles
  let state: ManifestState
  /// The last frame of the manifest: a log frame that names a later one means that the manifest was
  /// cut back.
  let position: ManifestPosition
  let options: OpenOptions

  struct Outcome {
    /// Newest first; one at least.
    var memtables: [Memtable]
    var lastCommit: UInt64
    /// Deleted ranges by keyspace.
    var ranges: [UInt32: [RangeTombstones.Range]]
    /// The last commit that tables, a stated end, or a later frame say was synced.
    var attestedCommit: UInt64
    var report: RecoveryReport
  }

  func run() throws(StoreError) -> Outcome {
    var outcome = Outcome(
      memtables: [try makeMemtable(capacity: options.memtableSize)],
      lastCommit: state.flushedThrough, ranges: state.ranges, attestedCommit: state.flushedThrough,
      report: RecoveryReport())
    outcome.report.unclean = !state.isClean
    for (index, log) in state.logs.enumerated() {
      let isLast = index == state.logs.count - 1
      do throws(StoreError) {
        try read(log, isLast: isLast, into: &outcome)
      } catch  where options.recovery == .upToDamage && error.code == .damaged {
        outcome.report.damage = error
        break
      }
    }
    return outcome
  }

  private func read(
    _ log: ManifestState.Log, isLast: Bool, into outcome: inout Outcome
  ) throws(StoreError) {
    guard log.end != nil || isLast else {
      throw .damaged(
        "the manifest names no end for a log that another follows",
        file: files.path(.log, log.number), offset: 0)
    }
    var commits = try LogCommits(files: files, log: log, position: position)
    while let commit = try commits.next() {
      guard commit.number > state.flushedThrough else { continue }
      guard commit.number > outcome.lastCommit else {
        throw commits.damage("a commit number that doesn't rise")
      }
      try insert(commit, into: &outcome.memtables, path: commits.path)
      for (keyspace, range) in commit.ranges { outcome.ranges[keyspace, default: []].append(range) }
      outcome.lastCommit = commit.number
      outcome.report.replayedCommits += 1
    }
    outcome.attestedCommit = max(outcome.attestedCommit, commits.attestedCommit)
    outcome.report.discardedTail += commits.discarded
  }

  private func makeMemtable(capacity: Int) throws(StoreError) -> Memtable {
    try Memtable(firstCommit: state.flushedThrough + 1, firstLog: 0, capacity: capacity)
  }

  private func insert(
    _ commit: LogCommits.Commit, into memtables: inout [Memtable], path: String
  ) throws(StoreError) {
    guard let size = commit.size else {
      throw .damaged("a commit's payload makes no sense", file: path, offset: commit.offset)
    }
    var storage = try memtables[0].retained()
    if !storage.hasRoom(operations: size.operations, payload: size.payload) {
      let needed = size.payload + size.operations * (MemtableArena.headerSize + 8) * 2 + 4096
      memtables.insert(
        try makeMemtable(capacity: max(options.memtableSize, needed)), at: 0)
      storage = try memtables[0].retained()
    }
    let isInserted = unsafe commit.payload.withRaw {
      unsafe storage.insert($0, operations: size.operations, commit: commit.number)
    }
    guard isInserted else {
      throw .damaged("a commit's payload makes no sense", file: path, offset: commit.offset)
    }
  }
}

/// The whole commits of one log, in order.
struct LogCommits {
  struct Commit {
    var number: UInt64
    var payload: [UInt8]
    var offset: UInt64

    /// The ranges that the commit deletes, by keyspace.
    var ranges: [(keyspace: UInt32, range: RangeTombstones.Range)] {
      var found: [(keyspace: UInt32, range: RangeTombstones.Range)] = []
      unsafe payload.withRaw { raw in
        guard let start = raw.baseAddress else { return }
        var position = unsafe start
        let end = unsafe start + raw.count
        while unsafe position < end {
          guard let operation = unsafe BatchOperation.next(&position, end: end) else { return }
          guard unsafe operation.kind == .deleteRange else { continue }
          let range = unsafe RangeTombstones.Range(
            lower: Array(operation.key), upper: Array(operation.value), commit: number)
          unsafe found.append((operation.keyspace, range))
        }
      }
      return found
    }

    /// Operations, and bytes of keys and values; nil where the bytes make no sense.
    var size: (operations: Int, payload: Int)? {
      unsafe payload.withRaw { raw in
        guard let start = raw.baseAddress else { return (0, 0) }
        var position = unsafe start
        let end = unsafe start + raw.count
        var operations = 0
        var bytes = 0
        while unsafe position < end {
          guard let operation = unsafe BatchOperation.next(&position, end: end) else { return nil }
          operations += 1
          unsafe bytes += operation.key.count + operation.value.count
        }
        return (operations, bytes)
      }
    }
  }

  let path: String
  private var reader: FrameReader
  private let position: ManifestPosition
  /// The last frame of each commit.
  private var ends: [(ordinal: UInt32, commit: UInt64)] = []
  /// A frame named a part of the manifest that isn't there.
  private(set) var namesLaterManifest = false

  /// - Parameters:
  ///   - position: The end of the manifest in force.
  ///   - readsOn: Whether to count bytes behind an end that the manifest states.
  init(
    files: StoreFiles, log: ManifestState.Log, position: ManifestPosition,
    readsOn: Bool = false
  ) throws(StoreError) {
    path = files.path(.log, log.number)
    let (file, cipher) = try files.open(.log, log.number, fileID: log.fileID)
    let bytes = try files.contents(of: file, limit: 1 << 30, path: path)
    reader = FrameReader(
      bytes: bytes, cipher: cipher, path: path, pinned: log.end, looksBehindEnd: readsOn)
    self.position = position
  }

  var discarded: UInt64 { reader.discarded }

  /// Once all was read: the last commit of which something says that it was synced.
  var attestedCommit: UInt64 {
    ends.last { $0.ordinal < reader.attested }?.commit ?? 0
  }

  var offset: UInt64 { UInt64(reader.offset) }

  func damage(_ what: String) -> StoreError {
    .damaged(what, file: path, offset: UInt64(reader.offset))
  }

  /// The next commit of which all frames are there.
  mutating func next() throws(StoreError) -> Commit? {
    var commit: Commit?
    while let frame = try reader.next() {
      if frame.manifest > position {
        namesLaterManifest = true
        throw damage("a frame names a part of the manifest that is gone")
      }
      guard frame.kind == .commit else { continue }
      if frame.flags & Frame.first != 0 {
        commit = Commit(number: frame.commit, payload: [], offset: frame.offset)
      }
      guard commit?.number == frame.commit else { throw damage("a commit lacks its first frame") }
      commit?.payload += frame.payload
      if frame.flags & Frame.last != 0 {
        ends.append((frame.ordinal, frame.commit))
        return commit
      }
    }
    return nil
  }
}
