/// What all records of a manifest together say.
///
/// `apply` checks every record against what stands; a manifest that contradicts itself is damaged.
struct ManifestState: Equatable, Sendable {
  /// An open for writing: its epoch, its random lineage, the number at which the next one begins.
  struct Open: Equatable, Sendable {
    var epoch: UInt32
    var lineage: StoreID
    var firstCommit: UInt64
  }

  /// A log, and where it ends once that was decided.
  struct Log: Equatable, Sendable {
    var number: UInt64
    var fileID: StoreID
    var end: FrameReader.PinnedEnd?
  }

  /// Earlier opens kept for anchors.
  static let pastOpenLimit = 1024

  var openEpoch: UInt32 = 0
  var lineage = StoreID(high: 0, low: 0)
  var pastOpens: [Open] = []
  var rootGeneration: UInt64 = 0
  var nextNumber: UInt64 = 1
  var flushedThrough: UInt64 = 0
  var keyspaces: [UInt32: [UInt8]] = [:]
  var tables: [UInt64: TableEntry] = [:]
  /// Deleted ranges that tables may still need, by keyspace.
  var ranges: [UInt32: [RangeTombstones.Range]] = [:]
  var logs: [Log] = []
  var retiredTables: Set<UInt64> = []
  var retiredLogs: Set<UInt64> = []
  var isClean = false
  /// Blobs of opens up to this one are each named by a row, or in the trash.
  var blobsSweptThrough: UInt32 = 0

  /// A record that contradicts what stands.
  struct Contradiction: Error {}

  mutating func apply(_ records: [ManifestRecord]) throws(Contradiction) {
    for record in records { try apply(record) }
  }

  private mutating func apply(_ record: ManifestRecord) throws(Contradiction) {
    switch record {
    case .open(let epoch, let lineage):
      openEpoch = epoch
      self.lineage = lineage
    case .pastOpen(let epoch, let lineage, let firstCommit):
      guard epoch > pastOpens.last?.epoch ?? 0 else { throw Contradiction() }
      pastOpens.append(Open(epoch: epoch, lineage: lineage, firstCommit: firstCommit))
    case .rootGeneration(let generation): rootGeneration = max(rootGeneration, generation)
    case .nextNumber(let number): nextNumber = max(nextNumber, number)
    case .flushed(let commit): flushedThrough = max(flushedThrough, commit)
    case .keyspace(let id, let name):
      guard keyspaces[id] == nil, !keyspaces.values.contains(name) else { throw Contradiction() }
      keyspaces[id] = name
    case .dropKeyspace(let id):
      guard keyspaces.removeValue(forKey: id) != nil else { throw Contradiction() }
      for (number, entry) in tables where entry.keyspace == id {
        tables[number] = nil
        retiredTables.insert(number)
      }
      ranges[id] = nil
    case .renameKeyspace(let id, let name):
      guard keyspaces[id] != nil, !keyspaces.values.contains(name) else { throw Contradiction() }
      keyspaces[id] = name
    case .deleteRange(let keyspace, let range):
      guard keyspaces[keyspace] != nil else { throw Contradiction() }
      ranges[keyspace, default: []].append(range)
    case .retireRange(let keyspace, let lower, let commit):
      let present = ranges[keyspace] ?? []
      let kept = present.filter { $0.commit != commit || $0.lower != lower }
      guard kept.count < present.count else { throw Contradiction() }
      ranges[keyspace] = kept.isEmpty ? nil : kept
    case .table(let entry):
      guard tables.updateValue(entry, forKey: entry.number) == nil, keyspaces[entry.keyspace] != nil
      else { throw Contradiction() }
    case .retireTable(let number):
      guard tables.removeValue(forKey: number) != nil else { throw Contradiction() }
      retiredTables.insert(number)
    case .moveTable(let number, let level):
      guard tables[number] != nil, Int(level) < Tree.levelCount else { throw Contradiction() }
      tables[number]?.level = level
    case .log(let number, let fileID):
      guard number > logs.last?.number ?? 0 else { throw Contradiction() }
      logs.append(Log(number: number, fileID: fileID))
    case .endLog(let number, let ordinal, let tag):
      guard let index = logs.firstIndex(where: { $0.number == number }), logs[index].end == nil
      else { throw Contradiction() }
      logs[index].end = FrameReader.PinnedEnd(ordinal: ordinal, tag: tag)
    case .retireLog(let number):
      guard let index = logs.firstIndex(where: { $0.number == number }) else {
        throw Contradiction()
      }
      logs.remove(at: index)
      retiredLogs.insert(number)
    case .blobsSwept(let epoch): blobsSweptThrough = max(blobsSweptThrough, epoch)
    case .clean: isClean = true
    }
    if case .clean = record {} else { isClean = false }
  }

  /// The records that say all this anew, without what was retired.
  var snapshotRecords: [ManifestRecord] {
    var records: [ManifestRecord] = [
      .open(epoch: openEpoch, lineage: lineage), .rootGeneration(rootGeneration),
      .nextNumber(nextNumber), .flushed(through: flushedThrough),
    ]
    if blobsSweptThrough > 0 { records.append(.blobsSwept(through: blobsSweptThrough)) }
    records += pastOpens.suffix(Self.pastOpenLimit).map {
      .pastOpen(epoch: $0.epoch, lineage: $0.lineage, firstCommit: $0.firstCommit)
    }
    records += keyspaces.sorted { $0.key < $1.key }.map { .keyspace(id: $0.key, name: $0.value) }
    for (keyspace, ranges) in ranges.sorted(by: { $0.key < $1.key }) {
      records += ranges.map { .deleteRange(keyspace: keyspace, $0) }
    }
    records += tables.values.sorted { $0.number < $1.number }.map { .table($0) }
    for log in logs {
      records.append(.log(number: log.number, fileID: log.fileID))
      if let end = log.end {
        records.append(.endLog(number: log.number, ordinal: end.ordinal, tag: end.tag))
      }
    }
    return records
  }
}
