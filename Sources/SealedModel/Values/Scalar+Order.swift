import Foundation

extension Scalar {
  /// The order of sorts and of index keys: nil first, then by value; no before yes, NaN last.
  ///
  /// - Throws: `QueryError.mixedTypes`.
  static func isLess(_ left: Scalar, _ right: Scalar) throws -> Bool {
    switch (left, right) {
    case (.null, .null): false
    case (.null, _): true
    case (_, .null): false
    case (.bool(let a), .bool(let b)): !a && b
    case (.double(let a), .double(let b)), (.date(let a), .date(let b)):
      a < b || (b.isNaN && !a.isNaN)
    default: try compare(left, .less, right)
    }
  }

  /// A comparison as Swift makes it; by order, nothing is before or after nil.
  static func compare(
    _ left: Scalar, _ comparison: QueryNode.Comparison, _ right: Scalar
  ) throws -> Bool {
    switch comparison {
    case .equal: return equal(left, right)
    case .notEqual: return !equal(left, right)
    default: break
    }
    switch (left, right) {
    case (.null, _), (_, .null): return false
    case (.int(let a), .int(let b)): return ordered(a, comparison, b)
    case (.uint(let a), .uint(let b)): return ordered(a, comparison, b)
    case (.double(let a), .double(let b)): return ordered(a, comparison, b)
    case (.date(let a), .date(let b)): return ordered(a, comparison, b)
    case (.string(let a), .string(let b)): return ordered(a, comparison, b)
    case (.decimal(let a), .decimal(let b)): return ordered(a, comparison, b)
    case (.uuid(let a), .uuid(let b)): return ordered(a, comparison, b)
    case (.object(let a), .object(let b)): return ordered(a, comparison, b)
    default: throw QueryError.mixedTypes("\(left.kindName) and \(right.kindName)")
    }
  }

  private static func equal(_ left: Scalar, _ right: Scalar) -> Bool { left == right }

  @inline(__always)
  static func ordered<C: Comparable>(
    _ left: C, _ comparison: QueryNode.Comparison, _ right: C
  ) -> Bool {
    switch comparison {
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .equal: left == right
    case .notEqual: left != right
    }
  }

  private var kindName: String {
    switch self {
    case .null: "nil"
    case .bool: "Bool"
    case .int: "a signed integer"
    case .uint: "an unsigned integer"
    case .double: "a floating-point number"
    case .string: "String"
    case .data: "Data"
    case .date: "Date"
    case .uuid: "UUID"
    case .decimal: "Decimal"
    case .encoded: "a Codable value"
    case .list: "a list"
    case .object: "an object"
    }
  }

  /// Integer results wrap, a division by zero gives nil: a query never traps.
  static func arithmetic(
    _ left: Scalar, _ operation: QueryNode.Arithmetic, _ right: Scalar
  ) throws -> Scalar {
    switch (left, right) {
    case (.int(let a), .int(let b)): integer(a, operation, b).map { .int($0) } ?? .null
    case (.uint(let a), .uint(let b)): integer(a, operation, b).map { .uint($0) } ?? .null
    case (.double(let a), .double(let b)): .double(floating(a, operation, b))
    case (.decimal(let a), .decimal(let b)): decimal(a, operation, b).map { .decimal($0) } ?? .null
    case (.date(let a), .double(let b)) where operation == .add: .date(a + b)
    case (.date(let a), .double(let b)) where operation == .subtract: .date(a - b)
    case (.null, _), (_, .null): .null
    default: throw QueryError.mixedTypes("\(left.kindName) and \(right.kindName)")
    }
  }

  private static func integer<I: FixedWidthInteger>(
    _ left: I, _ operation: QueryNode.Arithmetic, _ right: I
  ) -> I? {
    switch operation {
    case .add: left &+ right
    case .subtract: left &- right
    case .multiply: left &* right
    case .divide: right == 0 ? nil : left.dividedReportingOverflow(by: right).partialValue
    case .remainder:
      right == 0 ? nil : left.remainderReportingOverflow(dividingBy: right).partialValue
    case .negate: 0 &- left
    }
  }

  private static func floating(
    _ left: Double, _ operation: QueryNode.Arithmetic, _ right: Double
  ) -> Double {
    switch operation {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    case .divide: left / right
    case .remainder: left.truncatingRemainder(dividingBy: right)
    case .negate: -left
    }
  }

  private static func decimal(
    _ left: Decimal, _ operation: QueryNode.Arithmetic, _ right: Decimal
  ) -> Decimal? {
    switch operation {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    case .divide: right == 0 ? nil : left / right
    case .remainder: nil
    case .negate: -left
    }
  }
}
