import Foundation

/// A file of the NIST's form: `name = value` lines in paragraphs.
///
/// `[ENCRYPT]` and `[DECRYPT]` switch the direction, `[name = value]` holds for all cases that
/// follow, a bare `FAIL` marks a case that must fail. Names are in lower case here.
struct ResponseFile {
  /// One case.
  struct Case {
    var fields: [String: String] = [:]
    var encrypts = true
    var fails = false

    func bytes(_ name: String) -> [UInt8] { hex(fields[name] ?? "") }
    func number(_ name: String) -> Int? { fields[name].flatMap { Int($0) } }
  }

  private(set) var cases: [Case] = []

  init(_ data: Data) {
    var current = Case()
    var encrypts = true
    var common: [String: String] = [:]
    func end(_ cases: inout [Case]) {
      if !current.fields.isEmpty {
        current.encrypts = encrypts
        current.fields.merge(common) { own, _ in own }
        cases.append(current)
      }
      current = Case()
    }
    for raw in data.split(separator: 10, omittingEmptySubsequences: false) {
      let line = String(decoding: raw, as: UTF8.self).trimmingCharacters(in: .whitespaces)
        .trimmingCharacters(in: ["\r"])
      if line.isEmpty {
        end(&cases)
      } else if line.hasPrefix("[") {
        end(&cases)
        let inner = line.dropFirst().dropLast()
        switch inner {
        case "ENCRYPT": encrypts = true
        case "DECRYPT": encrypts = false
        default: if let (name, value) = Self.pair(inner) { common[name] = value }
        }
      } else if line == "FAIL" {
        current.fails = true
      } else if !line.hasPrefix("#"), let (name, value) = Self.pair(line[...]) {
        current.fields[name] = value
      }
    }
    end(&cases)
  }

  private static func pair(_ line: Substring) -> (String, String)? {
    guard let equals = line.firstIndex(of: "=") else { return nil }
    let name = line[..<equals].trimmingCharacters(in: .whitespaces)
    let value = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
    return (name.lowercased(), value)
  }
}
