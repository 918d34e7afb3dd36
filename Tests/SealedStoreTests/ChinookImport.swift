import Foundation
import SealedStore

extension Chinook {
  /// The tables as they are in the file.
  struct Tables {
    let content: [String: [[String: Any]]]

    init(_ url: URL) throws {
      let object = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
      content = object as? [String: [[String: Any]]] ?? [:]
    }

    subscript(name: String) -> [[String: Any]] { content[name] ?? [] }

    var rowCount: Int { content.values.reduce(0) { $0 + $1.count } }
  }

  static func int(_ row: [String: Any], _ name: String) -> Int {
    (row[name] as? NSNumber)?.intValue ?? 0
  }

  static func string(_ row: [String: Any], _ name: String) -> String { row[name] as? String ?? "" }

  static func decimal(_ row: [String: Any], _ name: String) -> Decimal {
    Decimal(string: (row[name] as? NSNumber)?.stringValue ?? "0") ?? 0
  }

  static func date(_ row: [String: Any], _ name: String) -> Date {
    let formatter = ISO8601DateFormatter()
    return formatter.date(from: string(row, name) + "Z") ?? Date(timeIntervalSince1970: 0)
  }

  /// Brings every table into a container: one save a table.
  static func fill(_ context: ModelContext, _ tables: Tables) throws {
    var genres: [Int: Genre] = [:]
    for row in tables["Genre"] {
      let genre = Genre()
      genre.number = int(row, "GenreId")
      genre.name = string(row, "Name")
      context.insert(genre)
      genres[genre.number] = genre
    }
    var mediaTypes: [Int: MediaType] = [:]
    for row in tables["MediaType"] {
      let type = MediaType()
      type.number = int(row, "MediaTypeId")
      type.name = string(row, "Name")
      context.insert(type)
      mediaTypes[type.number] = type
    }
    var artists: [Int: Artist] = [:]
    for row in tables["Artist"] {
      let artist = Artist()
      artist.number = int(row, "ArtistId")
      artist.name = string(row, "Name")
      context.insert(artist)
      artists[artist.number] = artist
    }
    try context.save()
    var albums: [Int: Album] = [:]
    for row in tables["Album"] {
      let album = Album()
      album.number = int(row, "AlbumId")
      album.title = string(row, "Title")
      album.artist = artists[int(row, "ArtistId")]
      context.insert(album)
      albums[album.number] = album
    }
    try context.save()
    var tracks: [Int: Track] = [:]
    for row in tables["Track"] {
      let track = Track()
      track.number = int(row, "TrackId")
      track.name = string(row, "Name")
      track.composer = row["Composer"] as? String
      track.milliseconds = int(row, "Milliseconds")
      track.bytes = int(row, "Bytes")
      track.unitPrice = decimal(row, "UnitPrice")
      track.album = albums[int(row, "AlbumId")]
      track.genre = genres[int(row, "GenreId")]
      track.mediaType = mediaTypes[int(row, "MediaTypeId")]
      context.insert(track)
      tracks[track.number] = track
    }
    try context.save()
    try fillSales(context, tables, tracks)
    try fillPlaylists(context, tables, tracks)
  }

  private static func fillSales(
    _ context: ModelContext, _ tables: Tables, _ tracks: [Int: Track]
  ) throws {
    var employees: [Int: Employee] = [:]
    for row in tables["Employee"] {
      let employee = Employee()
      employee.number = int(row, "EmployeeId")
      employee.firstName = string(row, "FirstName")
      employee.lastName = string(row, "LastName")
      employee.birthDate = date(row, "BirthDate")
      context.insert(employee)
      employees[employee.number] = employee
    }
    for row in tables["Employee"] {
      employees[int(row, "EmployeeId")]?.manager = employees[int(row, "ReportsTo")]
    }
    var customers: [Int: Customer] = [:]
    for row in tables["Customer"] {
      let customer = Customer()
      customer.number = int(row, "CustomerId")
      customer.firstName = string(row, "FirstName")
      customer.lastName = string(row, "LastName")
      customer.company = row["Company"] as? String
      customer.supporter = employees[int(row, "SupportRepId")]
      context.insert(customer)
      customers[customer.number] = customer
    }
    try context.save()
    var invoices: [Int: Invoice] = [:]
    for row in tables["Invoice"] {
      let invoice = Invoice()
      invoice.number = int(row, "InvoiceId")
      invoice.date = date(row, "InvoiceDate")
      invoice.country = string(row, "BillingCountry")
      invoice.total = decimal(row, "Total")
      invoice.customer = customers[int(row, "CustomerId")]
      context.insert(invoice)
      invoices[invoice.number] = invoice
    }
    try context.save()
    for row in tables["InvoiceLine"] {
      let line = InvoiceLine()
      line.number = int(row, "InvoiceLineId")
      line.unitPrice = decimal(row, "UnitPrice")
      line.quantity = int(row, "Quantity")
      line.invoice = invoices[int(row, "InvoiceId")]
      line.track = tracks[int(row, "TrackId")]
      context.insert(line)
    }
    try context.save()
  }

  private static func fillPlaylists(
    _ context: ModelContext, _ tables: Tables, _ tracks: [Int: Track]
  ) throws {
    var playlists: [Int: Playlist] = [:]
    for row in tables["Playlist"] {
      let playlist = Playlist()
      playlist.number = int(row, "PlaylistId")
      playlist.name = string(row, "Name")
      context.insert(playlist)
      playlists[playlist.number] = playlist
    }
    for (position, row) in tables["PlaylistTrack"].enumerated() {
      guard let playlist = playlists[int(row, "PlaylistId")],
        let track = tracks[int(row, "TrackId")]
      else { continue }
      playlist.tracks.append(track)
      let entry = PlaylistEntry()
      entry.position = position
      entry.playlist = playlist
      entry.track = track
      context.insert(entry)
    }
    try context.save()
  }
}
