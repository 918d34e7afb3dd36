internal import SealedFiles
internal import SealedLog

/// One structure of the vault in its two places, of which one is good at every moment.
struct TwinArea: Sendable {
  private let file: any RandomAccessFile
  private let offsets: [UInt64]
  private let size: Int
  /// The place that holds the structure in force for certain.
  private var place = 0

  init(file: any RandomAccessFile, offset: UInt64, size: Int) {
    self.file = file
    offsets = VaultLayout.halves.map { $0 + offset }
    self.size = size
  }

  /// The offset of a place, for errors.
  func offset(of place: Int) -> UInt64 { offsets[place] }

  /// The texts of both places; shorter where the file ends.
  func texts() throws(StoreError) -> [[UInt8]] {
    var texts: [[UInt8]] = []
    for offset in offsets {
      var bytes = [UInt8](repeating: 0, count: size)
      let count = try onMedium { () throws(FileError) in
        unsafe try bytes.withMutableRaw { (buffer) throws(FileError) in
          try unsafe file.read(into: buffer, at: offset)
        }
      }
      bytes.removeLast(size - count)
      texts.append(bytes)
    }
    return texts
  }

  /// Says which place is in force.
  mutating func choose(_ place: Int) { self.place = place }

  /// Writes and syncs the place that isn't in force; it is in force from then on.
  mutating func replace(by text: [UInt8]) throws(StoreError) {
    let other = 1 - place
    let padded = text + [UInt8](repeating: 0, count: size - text.count)
    try onMedium { () throws(FileError) in
      unsafe try padded.withRaw { (buffer) throws(FileError) in
        try unsafe file.write(buffer, at: offsets[other])
      }
      try file.sync()
    }
    place = other
  }
}
