import Foundation
import SealedStore

final class Genre: Model {
  struct Properties: ModelProperties {
    let number = Attribute<Int>("number", .unique)
    let name = Attribute<String>("name")
    let tracks = ToMany<Track>("tracks", inverse: \.genre)
  }
}

final class MediaType: Model {
  struct Properties: ModelProperties {
    let number = Attribute<Int>("number", .unique)
    let name = Attribute<String>("name")
    let tracks = ToMany<Track>("tracks", inverse: \.mediaType)
  }
}

final class Artist: Model {
  struct Properties: ModelProperties {
    let number = Attribute<Int>("number", .unique)
    let name = Attribute<String>("name", .indexed)
    let albums = ToMany<Album>("albums", inverse: \.artist, deleteRule: .cascade)
  }
}

final class Album: Model {
  struct Properties: ModelProperties {
    let number = Attribute<Int>("number", .unique)
    let title = Attribute<String>("title", .indexed)
    let artist = ToOne<Artist>("artist")
    let tracks = ToMany<Track>("tracks", inverse: \.album, deleteRule: .cascade)
  }
}

final class Track: Model {
  struct Properties: ModelProperties {
    let number = Attribute<Int>("number", .unique)
    let name = Attribute<String>("name")
    let composer = Attribute<String?>("composer")
    let milliseconds = Attribute<Int>("milliseconds", .indexed)
    let bytes = Attribute<Int>("bytes")
    let unitPrice = Attribute<Decimal>("unitPrice")
    let album = ToOne<Album>("album")
    let genre = ToOne<Genre>("genre")
    let mediaType = ToOne<MediaType>("mediaType")
    let lines = ToMany<InvoiceLine>("lines", inverse: \.track)
    let playlists = ToMany<Playlist>("playlists", inverse: \.tracks)
  }
}

final class Employee: Model {
  struct Properties: ModelProperties {
    let number = Attribute<Int>("number", .unique)
    let firstName = Attribute<String>("firstName")
    let lastName = Attribute<String>("lastName")
    let birthDate = Attribute<Date>("birthDate")
    let manager = ToOne<Employee>("manager")
    let reports = ToMany<Employee>("reports", inverse: \.manager)
    let customers = ToMany<Customer>("customers", inverse: \.supporter)
  }
}

final class Customer: Model {
  struct Properties: ModelProperties {
    let number = Attribute<Int>("number", .unique)
    let firstName = Attribute<String>("firstName")
    let lastName = Attribute<String>("lastName", .indexed)
    let company = Attribute<String?>("company")
    let supporter = ToOne<Employee>("supporter")
    let invoices = ToMany<Invoice>("invoices", inverse: \.customer, deleteRule: .deny)
  }
}

final class Invoice: Model {
  struct Properties: ModelProperties {
    let number = Attribute<Int>("number", .unique)
    let date = Attribute<Date>("date", .indexed)
    let country = Attribute<String>("country")
    let total = Attribute<Decimal>("total")
    let customer = ToOne<Customer>("customer")
    let lines = ToMany<InvoiceLine>("lines", inverse: \.invoice, deleteRule: .cascade)
  }
}

final class InvoiceLine: Model {
  struct Properties: ModelProperties {
    let number = Attribute<Int>("number", .unique)
    let unitPrice = Attribute<Decimal>("unitPrice")
    let quantity = Attribute<Int>("quantity")
    let invoice = ToOne<Invoice>("invoice")
    let track = ToOne<Track>("track")
  }
}

final class Playlist: Model {
  struct Properties: ModelProperties {
    let number = Attribute<Int>("number", .unique)
    let name = Attribute<String>("name")
    let tracks = ToMany<Track>("tracks")
  }
}

/// One row of the table that relates playlists and tracks, as an entity of its own beside the
/// many-to-many relationship.
final class PlaylistEntry: Model {
  struct Properties: ModelProperties {
    let position = Attribute<Int>("position")
    let playlist = ToOne<Playlist>("playlist")
    let track = ToOne<Track>("track")
  }
}

enum Chinook {
  static let models: [any PersistentModel.Type] = [
    Genre.self, MediaType.self, Artist.self, Album.self, Track.self, Employee.self,
    Customer.self, Invoice.self, InvoiceLine.self, Playlist.self, PlaylistEntry.self,
  ]
}
