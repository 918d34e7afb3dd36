import Foundation
import SealedStore

// The process that KillTests kills: saves batch after batch, and says which are acknowledged.
// Arguments: the store's path, the first batch's number.

let batchSize = 20
let path = CommandLine.arguments[1]
let first = Int(CommandLine.arguments[2]) ?? 0
let configuration = try SecureModelConfiguration(
  name: "Kill", models: [Parcel.self, Item.self], storeURL: URL(fileURLWithPath: path),
  unlock: .rawKey(SecretBytes([UInt8](repeating: 7, count: 32))))
let container = try SecureModelContainer.create(configuration)
let context = ModelContext(container)
for batch in first..<first + 1_000_000 {
  let parcel = Parcel()
  parcel.batch = batch
  context.insert(parcel)
  for number in 0..<batchSize {
    let item = Item()
    item.number = batch * batchSize + number
    item.text = String(repeating: "\(item.number) ", count: 1 + number * 5)
    context.insert(item)
    item.parcel = parcel
  }
  try context.save()
  FileHandle.standardOutput.write(Data("\(batch)\n".utf8))
}
