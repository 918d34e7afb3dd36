extension Unmanaged {
  /// Lends the object without owning it: somebody else keeps it alive while `body` runs.
  @inline(__always)
  func borrow<R: ~Copyable, E: Error>(
    _ body: (Instance) throws(E) -> R
  ) throws(E) -> R {
    unowned(unsafe) let instance = unsafe takeUnretainedValue()
    return try unsafe body(instance)
  }
}
