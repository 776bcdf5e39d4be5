extension BookData {
    static let norwegian: [Row] = [
        ("Peer Gynt", "Henrik Ibsen", 1867),
        ("A Doll's House", "Henrik Ibsen", 1879),
        ("Hedda Gabler", "Henrik Ibsen", 1890),
        ("Hunger", "Knut Hamsun", 1890),
        ("Growth of the Soil", "Knut Hamsun", 1917),
    ]

    static let swedish: [Row] = [
        ("The Red Room", "August Strindberg", 1879),
        ("Miss Julie", "August Strindberg", 1888),
        ("Gösta Berling's Saga", "Selma Lagerlöf", 1891),
        ("The Wonderful Adventures of Nils", "Selma Lagerlöf", 1906),
    ]

    static let danish: [Row] = [
        ("Fairy Tales Told for Children", "Hans Christian Andersen", 1835)
    ]

    static let dutch: [Row] = [
        ("Max Havelaar", "Multatuli", 1860)
    ]

    static let finnish: [Row] = [
        ("The Kalevala", "Elias Lönnrot", 1835),
        ("Seven Brothers", "Aleksis Kivi", 1870),
    ]
}
