import Foundation

/// A file of Project Wycheproof.
struct WycheproofFile: Decodable {
  enum Result: String, Decodable { case valid, invalid, acceptable }

  /// One case; each kind of file has some of the fields.
  struct Case: Decodable {
    var tcId: Int
    var result: Result
    var key: String?
    var iv: String?
    var aad: String?
    var msg: String?
    var ct: String?
    var tag: String?
    var ikm: String?
    var salt: String?
    var info: String?
    var size: Int?
    var okm: String?
    var password: String?
    var iterationCount: Int?
    var dkLen: Int?
    var dk: String?
  }

  struct Group: Decodable {
    var tests: [Case]
  }

  var testGroups: [Group]

  /// The cases of a file; nil where there are no vectors.
  static func cases(_ name: String) throws -> [Case]? {
    guard let data = try VectorFiles.data(name) else { return nil }
    return try JSONDecoder().decode(Self.self, from: data).testGroups.flatMap(\.tests)
  }
}
