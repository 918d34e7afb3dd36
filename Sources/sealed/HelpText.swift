/// What `--help` says.
enum HelpText {
  static func text(for command: String?) -> String {
    switch command {
    case "tour": tour
    case "info": info
    case "verify": verify
    default: overview
    }
  }

  static let overview = """
    sealed: looks at encrypted object stores, and shows what they do.

    USAGE
      sealed tour [--data DIR] [--keep]     import real data, ask questions, check every answer
      sealed info STORE [UNLOCK]            what a store holds: identity, keyspaces, tables, logs
      sealed verify STORE [UNLOCK]          read and authenticate every byte of a store
      sealed help [COMMAND]                 more about a command; so does sealed COMMAND --help
      sealed --version

    STORE is the path of a store's root file, such as Notes.store.

    UNLOCK, one of:
      (nothing)            asks for the store's passphrase; without a terminal, reads one line of
                           standard input
      --key-file FILE      a file of 32 bytes, or of 64 hexadecimal digits: the store's raw key
      --vault FILE         the vault that the store's app uses; asks for the vault's passphrase

    EXIT CODES
      0  all is well      1  something is wrong; the message says what      64  wrong usage
    """

  private static let tour = """
    sealed tour: a walk through the whole library, on real data.

    USAGE
      sealed tour [--data DIR] [--keep]

    Makes a vault and a store in a new temporary directory, imports ISO's tables of countries,
    subdivisions, languages, currencies and scripts (package iso-codes), asks a dozen questions
    through the object API and compares each answer with a plain loop over the decoded JSON; then
    closes and reopens the store and asks again, locks it and sees that reading is refused, unlocks
    it and reads, and at last looks for names and codes in the bytes on disk, where there must be
    none. Exits with 1 if anything is wrong.

    OPTIONS
      --data DIR    where iso_3166-1.json and the others lie
                    (else /usr/share/iso-codes/json, /usr/local and /opt/homebrew alike)
      --keep        leaves the directory for you to look at; else nothing is left behind
    """

  private static let info = """
    sealed info: what a store holds.

    USAGE
      sealed info STORE [--key-file FILE | --vault FILE]

    Opens the store for reading alone, writes nothing, and prints its identity, what opening found,
    its files with their sizes, and for each keyspace its tables, bytes and entries by level.
    `sealed help` says how a store is unlocked.

    EXAMPLE
      sealed info ~/Notes.store --key-file notes.key
    """

  private static let verify = """
    sealed verify: whether every byte of a store is as it was written.

    USAGE
      sealed verify STORE [--key-file FILE | --vault FILE]

    Opens the store for reading alone, reads and authenticates every byte of every file, and checks
    what must hold between the parts. Names each damaged place by file and offset, and each file or
    byte that doesn't belong there. Exits with 1 if there is any. `sealed help` says how a store is
    unlocked.

    EXAMPLE
      echo "$PASSPHRASE" | sealed verify ~/Notes.store
    """
}
