internal import SealedStore

/// A question, its answer through the object API, and by a plain loop over the decoded rows.
struct TourQuestion {
  let text: String
  let ask: (ModelContext) throws -> [String]
  let expect: (ISOTables) -> [String]
}
