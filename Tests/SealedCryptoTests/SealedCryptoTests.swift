import SealedCrypto
import Testing

@Suite struct ModuleTests {
  @Test func theSelfTestsPass() {
    #expect(CryptoModule.status.failure == nil)
    #expect(CryptoModule.status.isOpen)
  }
}
