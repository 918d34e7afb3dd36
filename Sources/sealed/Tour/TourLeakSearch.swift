internal import Foundation

/// Looks for words in files, many at a time.
///
/// Words of fewer than `shortest` bytes are left out: in some millions of random bytes a shorter
/// one is found by chance.
struct TourLeakSearch {
  static let shortest = 6
  private var words: [UInt64: [[UInt8]]] = [:]
  private(set) var count = 0

  init(_ texts: some Sequence<String>) {
    for text in Set(texts) {
      let bytes = Array(text.utf8)
      guard bytes.count >= Self.shortest else { continue }
      let head = bytes.prefix(Self.shortest).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      words[head, default: []].append(bytes)
      count += 1
    }
  }

  /// The words found in `data`.
  func found(in data: [UInt8]) -> [String] {
    var result: [String] = []
    var window: UInt64 = 0
    for index in data.indices {
      window = (window << 8 | UInt64(data[index])) & 0xffff_ffff_ffff
      let start = index + 1 - Self.shortest
      guard start >= 0, let candidates = words[window] else { continue }
      for word in candidates where data[start...].starts(with: word) {
        result.append(String(decoding: word, as: UTF8.self))
      }
    }
    return result
  }
}
