/// What a simulated disk holds: files and names, each as the process sees it and as it would be
/// found after a power cut.
struct SimulatedMedium: Sendable {
  static let sectorSize = 512

  /// A file's bytes.
  struct Inode: Sendable {
    /// What reads give.
    var content: [UInt8] = []
    /// What the last sync made durable.
    var durable: [UInt8] = []
    /// Sectors written since, any of which may or may not reach the disk on their own.
    var dirty: Set<Int> = []

    mutating func write(_ bytes: [UInt8], at offset: Int) {
      guard !bytes.isEmpty else { return }
      let end = offset + bytes.count
      if content.count < end {
        content.append(contentsOf: repeatElement(0, count: end - content.count))
      }
      content.replaceSubrange(offset..<end, with: bytes)
      dirty.formUnion(offset / sectorSize...(end - 1) / sectorSize)
    }

    mutating func sync() {
      durable = content
      dirty = []
    }

    /// A sync that failed: the system takes the pages for clean, though some never arrived.
    mutating func failSync(_ random: inout SeededGenerator) {
      durable = remains(&random)
      dirty = []
    }

    /// What a power cut may leave: the durable bytes with any of the newer sectors.
    func remains(_ random: inout SeededGenerator) -> [UInt8] {
      var bytes = durable
      for sector in dirty.sorted() where Bool.random(using: &random) {
        let start = sector * sectorSize
        let end = min(start + sectorSize, content.count)
        guard start < end else { continue }
        if bytes.count < end {
          bytes.append(contentsOf: repeatElement(0, count: end - bytes.count))
        }
        bytes.replaceSubrange(start..<end, with: content[start..<end])
      }
      return bytes
    }
  }

  /// What a name stands for.
  enum Entry: Sendable, Equatable {
    case directory
    case file(Int)
  }

  var inodes: [Int: Inode] = [:]
  private var nextInode = 1
  /// Full paths, as the process sees them.
  private(set) var names: [String: Entry] = ["/": .directory]
  /// Full paths, as the last syncs of their directories made them durable.
  private var durableNames: [String: Entry] = ["/": .directory]

  static func parent(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  mutating func makeFile(_ path: String) -> Int {
    let inode = nextInode
    nextInode += 1
    inodes[inode] = Inode()
    names[path] = .file(inode)
    return inode
  }

  mutating func setName(_ path: String, _ entry: Entry?) { names[path] = entry }

  func children(_ path: String) -> [String] {
    names.keys.filter { $0 != "/" && Self.parent($0) == path }
  }

  mutating func syncDirectory(_ path: String) {
    for name in durableNames.keys where name != "/" && Self.parent(name) == path {
      durableNames[name] = nil
    }
    for name in children(path) { durableNames[name] = names[name] }
  }

  /// The medium after a power cut: names and sectors that weren't synced are there or not, each on
  /// its own.
  func afterPowerCut(_ random: inout SeededGenerator) -> SimulatedMedium {
    var result = SimulatedMedium()
    result.nextInode = nextInode
    // Parents come before what is in them.
    for path in Set(names.keys).union(durableNames.keys).sorted() where path != "/" {
      let (new, old) = (names[path], durableNames[path])
      guard let entry = new == old || Bool.random(using: &random) ? new : old,
        result.names[Self.parent(path)] == .directory
      else { continue }
      result.names[path] = entry
    }
    for number in inodes.keys.sorted() {
      guard let inode = inodes[number] else { continue }
      var kept = Inode()
      kept.durable = inode.remains(&random)
      kept.content = kept.durable
      result.inodes[number] = kept
    }
    result.durableNames = result.names
    return result
  }
}
