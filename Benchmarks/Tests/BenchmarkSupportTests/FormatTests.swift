import BenchmarkSupport
import Testing

struct FormatTests {
  @Test(arguments: [0, 7, 42, 999, 1_234_567, 9_999_999_999_999_999])
  func keysHaveSixteenDigits(number: Int) {
    var bytes = [UInt8](repeating: 0, count: KeyFormat.size)
    unsafe bytes.withUnsafeMutableBytes { raw in
      if let base = raw.baseAddress { unsafe KeyFormat().write(number, to: base) }
    }
    let digits = String(number)
    let expected = String(repeating: "0", count: 16 - digits.count) + digits
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }

  @Test func valuesDependOnKeyAndVersion() {
    let pool = ValuePool(valueSize: 100)
    let value = unsafe Array(pool.value(key: 5, version: 1))
    #expect(value.count == 100)
    #expect(unsafe Array(pool.value(key: 5, version: 1)) == value)
    #expect(unsafe Array(pool.value(key: 6, version: 1)) != value)
    #expect(unsafe Array(pool.value(key: 5, version: 2)) != value)
  }

  @Test func checksumSeesEveryByteAndTheOrder() {
    let value = (0..<27).map { UInt8($0) }
    let plain = sum([value])
    for index in value.indices {
      var changed = value
      changed[index] ^= 1
      #expect(sum([changed]) != plain, "byte \(index)")
    }
    #expect(sum([value, [1]]) != sum([[1], value]))
    #expect(sum([value]) != sum([value, []]))
  }

  private func sum(_ values: [[UInt8]]) -> [UInt64] {
    var checksum = ValueChecksum()
    for value in values { unsafe value.withUnsafeBytes { unsafe checksum.take($0) } }
    return [checksum.sum, UInt64(checksum.count)]
  }

  @Test func figuresHaveThreeDigitsThatCount() {
    #expect(Figures.rate(1_234_567) == "1.23 M")
    #expect(Figures.rate(45_678) == "45.7 k")
    #expect(Figures.rate(999.9) == "1.00 k")
    #expect(Figures.rate(789) == "789")
    #expect(Figures.bytes(999) == "999 B")
    #expect(Figures.bytes(64 << 20) == "67.1 MB")
    #expect(Figures.digits(0.5) == "0.50")
  }

  @Test func tableIsAligned() {
    var table = TextTable(header: ["work", "a"])
    table.add(["fillseq", "1.5 M"])
    table.add(["x"])
    #expect(
      table.text == """
        | work    |     a |
        | ------- | ----: |
        | fillseq | 1.5 M |
        | x       |       |
        """)
  }
}
