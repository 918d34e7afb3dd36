/// A table in Markdown whose columns stand under each other in plain text too.
public struct TextTable: Sendable {
  private let header: [String]
  private var lines: [[String]] = []

  /// A table without lines.
  public init(header: [String]) { self.header = header }

  /// Adds a line; missing cells are empty, cells without a header are left out.
  public mutating func add(_ cells: [String]) {
    lines.append(header.indices.map { $0 < cells.count ? cells[$0] : "" })
  }

  /// The table, the first column aligned to the left, the others to the right.
  public var text: String {
    let widths = header.indices.map { column in
      max(3, ([header] + lines).map { $0[column].count }.max() ?? 0)
    }
    func line(_ cells: [String]) -> String {
      let padded = cells.enumerated().map { column, cell in
        let blanks = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + blanks : blanks + cell
      }
      return "| " + padded.joined(separator: " | ") + " |"
    }
    let rule = widths.enumerated().map { column, width in
      column == 0
        ? String(repeating: "-", count: width) : String(repeating: "-", count: width - 1) + ":"
    }
    return ([line(header), "| " + rule.joined(separator: " | ") + " |"] + lines.map(line))
      .joined(separator: "\n")
  }
}
