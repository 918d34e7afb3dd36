/// How far a long piece of work is: a bar on a terminal, a line a step elsewhere.
struct ProgressBar {
  private let title: String
  private let total: Int
  private var done = 0
  private var shown = -1

  init(_ title: String, total: Int) {
    self.title = title
    self.total = total
  }

  mutating func advance(by count: Int = 1) {
    done += count
    guard Console.isTerminal, total > 0 else { return }
    let width = 40
    let filled = min(width, done * width / total)
    guard filled != shown else { return }
    shown = filled
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    Console.overwrite("  \(title) [\(bar)] \(done)/\(total)")
  }

  /// Ends the bar, and leaves a line that says what was done.
  func finish(_ summary: String) {
    Console.overwrite("")
    Console.print("  \(title): \(summary)")
  }
}
