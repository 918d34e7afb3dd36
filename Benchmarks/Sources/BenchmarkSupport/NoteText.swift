/// What the notes of the object suites say: slices of a text of words, the same for every engine.
@safe public struct NoteText: @unchecked Sendable {
  /// Characters of a title.
  public static let titleCount = 20
  /// Characters of a body.
  public static let bodyCount = 225
  /// A word that stands in some titles and not in others.
  public static let rareWord = "zephyr"

  /// The text of this process, made when it is first used.
  public static let shared = NoteText()

  // Never written after `init`, never freed.
  private let base: UnsafeMutablePointer<UInt8>
  private static let size = 1 << 20

  private init() {
    unsafe base = .allocate(capacity: Self.size)
    var random = RandomSource(seed: 11)
    var words = (0..<400).map { _ in
      (0..<(3 + random.below(7))).map { _ in UInt8(97 + random.below(26)) }
    }
    words[0] = Array(Self.rareWord.utf8)
    var position = 0
    while position < Self.size {
      for byte in words[random.below(words.count)] + [UInt8(ascii: " ")]
      where position < Self.size {
        unsafe base[position] = byte
        position += 1
      }
    }
  }

  private func slice(_ hash: UInt64, _ count: Int) -> String {
    let offset = Int(hash.multipliedFullWidth(by: UInt64(Self.size - count)).high)
    return unsafe String(
      decoding: UnsafeBufferPointer(start: base + offset, count: count), as: UTF8.self)
  }

  /// A note's title in a version.
  public func title(_ note: Int, version: Int = 1) -> String {
    slice(fnv64(UInt64(note) &* 31 &+ UInt64(version)) &* 0x9e37_79b9_7f4a_7c15, Self.titleCount)
  }

  /// A note's body.
  public func body(_ note: Int) -> String {
    slice(fnv64(UInt64(note) &+ 1 << 40) &* 0x9e37_79b9_7f4a_7c15, Self.bodyCount)
  }
}

/// A note's other properties.
public enum NoteFigures {
  /// How many priorities there are, each as frequent.
  public static let priorityCount = 100

  /// When a note was made, in seconds; no two notes at once.
  public static func created(_ note: Int) -> Double { Double(note &* 7919 % 15_485_863) }
  /// A number below `priorityCount`.
  public static func priority(_ note: Int) -> Int {
    Int(fnv64(UInt64(note) &+ 1 << 41) % UInt64(priorityCount))
  }
  /// Three notes in ten have the flag.
  public static func flag(_ note: Int) -> Bool { fnv64(UInt64(note) &+ 1 << 42) % 10 < 3 }
  /// The folder that a note lies in.
  public static func folder(_ note: Int, of count: Int) -> Int {
    Int(fnv64(UInt64(note) &+ 1 << 43) % UInt64(count))
  }
}
