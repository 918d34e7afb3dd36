/// A word whose bits are lanes that don't know of each other: what a circuit works on.
protocol SlicedWord {
  static func ^ (left: Self, right: Self) -> Self
  static func & (left: Self, right: Self) -> Self
}

extension UInt64: SlicedWord {}
