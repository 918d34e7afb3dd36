/// A chart of operations a second as SVG: a panel for each workload, in it a bar for each engine.
///
/// Panels have scales of their own, from zero: within one, lengths compare engines.
public struct BarChart: Sendable {
  private let title: String
  private let rows: [ResultRow]

  private static let panelWidth = 430
  private static let barHeight = 17
  private static let columns = 2
  private static let labelWidth = 92
  private static let valueWidth = 92
  private static let palette = [
    "leveldb": "#7a9cc6", "rocksdb": "#5f86b3", "lmdb": "#8fa8a0", "sqlite": "#b8a07e",
    "sqlcipher": "#a67c6d", "openssl": "#7a9cc6", "openssl-newest": "#5f86b3",
    "libargon2": "#8fa8a0", "raw": "#9a9a9a",
  ]

  /// A chart of a suite's rows.
  public init(title: String, rows: [ResultRow]) {
    self.title = title
    self.rows = rows
  }

  /// The chart's text.
  public var svg: String {
    var names: [String] = []
    for row in rows where !names.contains(row.workload) { names.append(row.workload) }
    let panels = names.map { name in (name: name, rows: rows.filter { $0.workload == name }) }
    var columnHeights = [Int](repeating: 48, count: Self.columns)
    var body = ""
    for (index, panel) in panels.enumerated() {
      let column = index % Self.columns
      // Panels of a line begin at one height.
      if column == 0, let highest = columnHeights.max() {
        columnHeights = columnHeights.map { _ in highest }
      }
      body += Self.panel(
        panel.name, panel.rows, x: 16 + column * (Self.panelWidth + 16), y: columnHeights[column])
      columnHeights[column] += 30 + panel.rows.count * (Self.barHeight + 3) + 10
    }
    let width = 16 + Self.columns * (Self.panelWidth + 16)
    let height = (columnHeights.max() ?? 48) + 8
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" font-family="system-ui, sans-serif" font-size="12">
      <rect width="100%" height="100%" fill="#ffffff"/>
      <text x="16" y="28" font-size="16" font-weight="600" fill="#1f2328">\(Self.escape(title))</text>
      \(body)</svg>

      """
  }

  private static func panel(_ name: String, _ rows: [ResultRow], x: Int, y: Int) -> String {
    let most = rows.map(\.opsPerSecond).max() ?? 1
    let room = Double(panelWidth - labelWidth - valueWidth)
    var text =
      "<text x=\"\(x)\" y=\"\(y + 16)\" font-weight=\"600\" fill=\"#1f2328\">\(escape(name))</text>\n"
    for (index, row) in rows.enumerated() {
      let top = y + 26 + index * (barHeight + 3)
      let length = max(1, (room * row.opsPerSecond / most).rounded())
      let isProduct = row.engine == RoundTable.product
      let color = isProduct ? "#1a7f5a" : palette[row.engine] ?? "#999999"
      let weight = isProduct ? " font-weight=\"600\"" : ""
      text += """
        <text x="\(x + labelWidth - 6)" y="\(top + 13)" text-anchor="end" fill="#1f2328"\(weight)>\
        \(escape(row.engine))</text>
        <rect x="\(x + labelWidth)" y="\(top)" width="\(Int(length))" height="\(barHeight)" \
        rx="2" fill="\(color)"/>
        <text x="\(x + labelWidth + Int(length) + 6)" y="\(top + 13)" fill="#1f2328"\(weight)>\
        \(Figures.rate(row.opsPerSecond))/s</text>

        """
    }
    return text
  }

  static func escape(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
