import Foundation
import SealedModel

final class AllTypes: Model {
  struct Properties: ModelProperties {
    let bool = Attribute<Bool>("bool")
    let int = Attribute<Int>("int"), int8 = Attribute<Int8>("int8"),
      int16 = Attribute<Int16>("int16")
    let int32 = Attribute<Int32>("int32"), int64 = Attribute<Int64>("int64")
    let uint = Attribute<UInt>("uint"), uint8 = Attribute<UInt8>("uint8"),
      uint64 = Attribute<UInt64>("uint64")
    let float = Attribute<Float>("float"), double = Attribute<Double>("double"),
      decimal = Attribute<Decimal>("decimal")
    let string = Attribute<String>("string"), data = Attribute<Data>("data", .externalStorage),
      date = Attribute<Date>("date")
    let uuid = Attribute<UUID>("uuid"),
      url = Attribute<URL>("url", default: URL(string: "https://example.org")!)
    let optionalInt = Attribute<Int?>("optionalInt"),
      optionalString = Attribute<String?>("optionalString", default: "preset")
    let optionalUUID = Attribute<UUID?>("optionalUUID"),
      optionalDecimal = Attribute<Decimal?>("optionalDecimal")
    let optionalURL = Attribute<URL?>("optionalURL"),
      optionalDate = Attribute<Date?>("optionalDate")
    let status = Attribute<Status>("status", default: .open),
      priority = Attribute<Priority?>("priority")
    let shape = Attribute<Shape>("shape", default: .square),
      optionalShape = Attribute<Shape?>("optionalShape")
    let address = Attribute<Address>("address", default: Address()),
      addresses = Attribute<[Address]>("addresses")
    let strings = Attribute<[String]>("strings"), statuses = Attribute<[Status]?>("statuses")
    let counts = Attribute<[String: Int]>("counts"), set = Attribute<Set<Int>>("set")
    let color = Attribute<Color>("color", default: Color(), transformer: HexTransformer())
    let scratch = Attribute<Int>("scratch", .ephemeral)
    let renamed = Attribute<String>(
      "headline", [.indexed, .preserveValueOnDeletion], originalName: "title")
  }
  var transient = 5
}
final class Wide: Model {
  struct Properties: ModelProperties {
    let p0 = Attribute<Int>("p0", default: 0)
    let p1 = Attribute<Int>("p1", default: 0)
    let p2 = Attribute<Int>("p2", default: 0)
    let p3 = Attribute<Int>("p3", default: 0)
    let p4 = Attribute<Int>("p4", default: 0)
    let p5 = Attribute<Int>("p5", default: 0)
    let p6 = Attribute<Int>("p6", default: 0)
    let p7 = Attribute<Int>("p7", default: 0)
    let p8 = Attribute<Int>("p8", default: 0)
    let p9 = Attribute<Int>("p9", default: 0)
    let p10 = Attribute<Int>("p10", default: 0)
    let p11 = Attribute<Int>("p11", default: 0)
    let p12 = Attribute<Int>("p12", default: 0)
    let p13 = Attribute<Int>("p13", default: 0)
    let p14 = Attribute<Int>("p14", default: 0)
    let p15 = Attribute<Int>("p15", default: 0)
    let p16 = Attribute<Int>("p16", default: 0)
    let p17 = Attribute<Int>("p17", default: 0)
    let p18 = Attribute<Int>("p18", default: 0)
    let p19 = Attribute<Int>("p19", default: 0)
    let p20 = Attribute<Int>("p20", default: 0)
    let p21 = Attribute<Int>("p21", default: 0)
    let p22 = Attribute<Int>("p22", default: 0)
    let p23 = Attribute<Int>("p23", default: 0)
    let p24 = Attribute<Int>("p24", default: 0)
    let p25 = Attribute<Int>("p25", default: 0)
    let p26 = Attribute<Int>("p26", default: 0)
    let p27 = Attribute<Int>("p27", default: 0)
    let p28 = Attribute<Int>("p28", default: 0)
    let p29 = Attribute<Int>("p29", default: 0)
    let p30 = Attribute<Int>("p30", default: 0)
    let p31 = Attribute<Int>("p31", default: 0)
    let p32 = Attribute<Int>("p32", default: 0)
    let p33 = Attribute<Int>("p33", default: 0)
    let p34 = Attribute<Int>("p34", default: 0)
    let p35 = Attribute<Int>("p35", default: 0)
    let p36 = Attribute<Int>("p36", default: 0)
    let p37 = Attribute<Int>("p37", default: 0)
    let p38 = Attribute<Int>("p38", default: 0)
    let p39 = Attribute<Int>("p39", default: 0)
    let p40 = Attribute<Int>("p40", default: 0)
    let p41 = Attribute<Int>("p41", default: 0)
    let p42 = Attribute<Int>("p42", default: 0)
    let p43 = Attribute<Int>("p43", default: 0)
    let p44 = Attribute<Int>("p44", default: 0)
    let p45 = Attribute<Int>("p45", default: 0)
    let p46 = Attribute<Int>("p46", default: 0)
    let p47 = Attribute<Int>("p47", default: 0)
    let p48 = Attribute<Int>("p48", default: 0)
    let p49 = Attribute<Int>("p49", default: 0)
    let p50 = Attribute<Int>("p50", default: 0)
    let p51 = Attribute<Int>("p51", default: 0)
    let p52 = Attribute<Int>("p52", default: 0)
    let p53 = Attribute<Int>("p53", default: 0)
    let p54 = Attribute<Int>("p54", default: 0)
    let p55 = Attribute<Int>("p55", default: 0)
    let p56 = Attribute<Int>("p56", default: 0)
    let p57 = Attribute<Int>("p57", default: 0)
    let p58 = Attribute<Int>("p58", default: 0)
    let p59 = Attribute<Int>("p59", default: 0)
    let p60 = Attribute<Int>("p60", default: 0)
    let p61 = Attribute<Int>("p61", default: 0)
    let p62 = Attribute<Int>("p62", default: 0)
    let p63 = Attribute<Int>("p63", default: 0)
    let p64 = Attribute<Int>("p64", default: 0)
    let p65 = Attribute<Int>("p65", default: 0)
    let p66 = Attribute<Int>("p66", default: 0)
    let p67 = Attribute<Int>("p67", default: 0)
    let p68 = Attribute<Int>("p68", default: 0)
    let p69 = Attribute<Int>("p69", default: 0)
    let text = Attribute<String>("text")
  }
}
