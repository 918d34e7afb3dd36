import Foundation

extension QueryNode.Column {
  /// For people: `$0.folder.name`.
  var text: String {
    var parts = ["$\(variable)"]
    for step in steps {
      switch step {
      case .relationship(let name): parts.append(name)
      case .cast(let entity): parts.append("as(\(entity))")
      }
    }
    if let attribute { parts.append(attribute) }
    return parts.joined(separator: ".")
  }
}

extension QueryNode {
  /// For people.
  var text: String {
    switch self {
    case .constant(let value): value.text
    case .column(let column): column.text
    case .compare(let left, let comparison, let right):
      "(\(left.text) \(comparison) \(right.text))"
    case .and(let nodes): "(" + nodes.map(\.text).joined(separator: " and ") + ")"
    case .or(let nodes): "(" + nodes.map(\.text).joined(separator: " or ") + ")"
    case .not(let node): "not \(node.text)"
    case .text(let left, let operation, let right, let folding):
      "(\(left.text) \(operation)[\(folding)] \(right.text))"
    case .member(let node, let set): "(\(node.text) in \(set.count) values)"
    case .listContains(let list, let element): "(\(list.text) has \(element.text))"
    case .between(let node, let low, let high, let closed):
      "(\(node.text) in \(low.text)\(closed ? "..." : "..<")\(high.text))"
    case .arithmetic(let left, let operation, let right):
      "(\(left.text) \(operation) \(right.text))"
    case .coalesce(let left, let right): "(\(left.text) ?? \(right.text))"
    case .conditional(let test, let yes, let no): "(\(test.text) ? \(yes.text) : \(no.text))"
    case .ifPresent(let test, let node): "ifPresent(\(test.text), \(node.text))"
    case .unwrap(let node): "\(node.text)!"
    case .any(let column, let variable, let node):
      "any $\(variable) in \(column.text): \(node.text)"
    case .all(let column, let variable, let node):
      "all $\(variable) in \(column.text): \(node.text)"
    case .count(let column, let variable, let node):
      "count(\(column.text)\(node.map { " where $\(variable): \($0.text)" } ?? ""))"
    case .isKind(let column, let entity): "(\(column.text) is \(entity))"
    case .residual(let number): "residual#\(number)"
    }
  }
}

extension Scalar {
  /// For people.
  var text: String {
    switch self {
    case .null: "nil"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .uint(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): "\"\(value)\""
    case .data(let value): "\(value.count) bytes"
    case .date(let value): "date(\(value))"
    case .uuid(let value): value.uuidString
    case .decimal(let value): "\(value)"
    case .encoded(let value): "\(value.count) bytes of JSON"
    case .list(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
    case .object(let id): id.shortText
    }
  }
}
