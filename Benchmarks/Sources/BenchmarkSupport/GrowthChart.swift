internal import Foundation

/// Curves over the number of objects, as SVG: workloads named `NAME-10k`, `NAME-100k`, `NAME-1M`.
public struct GrowthChart: Sendable {
  private struct Curve {
    let title: String
    let points: [(count: Double, value: Double)]
    let label: @Sendable (Double) -> String
  }

  private let title: String
  private let curves: [Curve]

  private static let width = 430.0
  private static let height = 150.0

  /// A chart of a suite's rows: operations a second (of `open`, milliseconds), then memory and
  /// space an object of the rows of `get`.
  public init(title: String, rows: [ResultRow]) {
    self.title = title
    let product = rows.filter { $0.engine == RoundTable.product }
    var names: [String] = []
    for row in product {
      guard let name = Self.parts(row.workload)?.name, !names.contains(name) else { continue }
      names.append(name)
    }
    func curve(
      _ title: String, _ name: String, isEach: Bool = false, _ value: (ResultRow) -> Double?,
      _ label: @escaping @Sendable (Double) -> String
    ) -> Curve {
      let points = product.compactMap { row -> (count: Double, value: Double)? in
        guard let parts = Self.parts(row.workload), parts.name == name, let value = value(row)
        else { return nil }
        return (parts.count, isEach ? value / parts.count : value)
      }
      return Curve(title: title, points: points, label: label)
    }
    let times = names.map { name in
      name.hasPrefix("open")
        ? curve("\(name), ms", name, { $0.p50us.map { $0 / 1000 } }, { Figures.digits($0) })
        : curve("\(name), objects/s", name, { $0.opsPerSecond }, { Figures.rate($0) })
    }
    curves =
      (times + [
        curve(
          "peak memory of get", "get", { $0.peakRSS.map(Double.init) },
          { Figures.bytes(Int($0)) }),
        curve(
          "space an object", "get", isEach: true, { $0.bytesOnDisk.map(Double.init) },
          { Figures.bytes(Int($0)) }),
      ]).filter { !$0.points.isEmpty }
  }

  /// A workload's name before its size, and the size.
  static func parts(_ workload: String) -> (name: String, count: Double)? {
    guard let dash = workload.lastIndex(of: "-") else { return nil }
    let size = workload[workload.index(after: dash)...]
    let scale = size.hasSuffix("M") ? 1_000_000.0 : size.hasSuffix("k") ? 1000.0 : nil
    guard let scale, let number = Double(size.dropLast()) else { return nil }
    return (String(workload[..<dash]), number * scale)
  }

  /// The chart's text.
  public var svg: String {
    var body = ""
    for (index, curve) in curves.enumerated() {
      body += Self.panel(
        curve, x: 16 + Double(index % 2) * (Self.width + 16),
        y: 48 + Double(index / 2) * (Self.height + 40))
    }
    let width = Int(16 + 2 * (Self.width + 16))
    let height = 56 + (curves.count + 1) / 2 * Int(Self.height + 40)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" font-family="system-ui, sans-serif" font-size="12">
      <rect width="100%" height="100%" fill="#ffffff"/>
      <text x="16" y="28" font-size="16" font-weight="600" fill="#1f2328">\
      \(BarChart.escape(title))</text>
      \(body)</svg>

      """
  }

  /// A curve: the number of objects to the right by its logarithm, the value up from zero.
  private static func panel(_ curve: Curve, x: Double, y: Double) -> String {
    let logs = curve.points.map { log10($0.count) }
    let low = logs.min() ?? 0
    let span = max(1, (logs.max() ?? 1) - low)
    let most = max(curve.points.map(\.value).max() ?? 1, .leastNonzeroMagnitude)
    let places = zip(logs, curve.points).map { logarithm, point in
      (
        x: x + 40 + (width - 120) * (logarithm - low) / span,
        y: y + 44 + (height - 64) * (1 - point.value / most), point: point
      )
    }
    let line = places.map { "\(Int($0.x)),\(Int($0.y))" }.joined(separator: " ")
    var text = """
      <text x="\(Int(x))" y="\(Int(y + 16))" font-weight="600" fill="#1f2328">\
      \(BarChart.escape(curve.title))</text>
      <line x1="\(Int(x + 20))" y1="\(Int(y + height - 20))" x2="\(Int(x + width - 40))" \
      y2="\(Int(y + height - 20))" stroke="#d0d7de"/>
      <polyline points="\(line)" fill="none" stroke="#1a7f5a" stroke-width="2"/>

      """
    for place in places {
      text += """
        <circle cx="\(Int(place.x))" cy="\(Int(place.y))" r="3" fill="#1a7f5a"/>
        <text x="\(Int(place.x))" y="\(Int(place.y - 8))" text-anchor="middle" fill="#1f2328">\
        \(curve.label(place.point.value))</text>
        <text x="\(Int(place.x))" y="\(Int(y + height - 4))" text-anchor="middle" \
        fill="#59636e">\(Figures.rate(place.point.count))</text>

        """
    }
    return text
  }
}
