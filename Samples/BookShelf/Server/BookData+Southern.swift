extension BookData {
    static let spanish: [Row] = [
        ("Don Quixote", "Miguel de Cervantes", 1605),
        ("Martín Fierro", "José Hernández", 1872),
        ("La Regenta", "Leopoldo Alas", 1884),
        ("Fortunata and Jacinta", "Benito Pérez Galdós", 1887),
        ("Mist", "Miguel de Unamuno", 1914),
        ("Platero and I", "Juan Ramón Jiménez", 1914),
    ]

    static let portuguese: [Row] = [
        ("The Lusiads", "Luís de Camões", 1572),
        ("The Posthumous Memoirs of Brás Cubas", "Machado de Assis", 1881),
        ("The Maias", "Eça de Queirós", 1888),
        ("Dom Casmurro", "Machado de Assis", 1899),
    ]

    static let italian: [Row] = [
        ("The Prince", "Niccolò Machiavelli", 1532),
        ("Jerusalem Delivered", "Torquato Tasso", 1581),
        ("The Betrothed", "Alessandro Manzoni", 1827),
        ("The Adventures of Pinocchio", "Carlo Collodi", 1883),
        ("Heart", "Edmondo De Amicis", 1886),
        ("Six Characters in Search of an Author", "Luigi Pirandello", 1921),
        ("Zeno's Conscience", "Italo Svevo", 1923),
    ]

    static let latin: [Row] = [
        ("Utopia", "Thomas More", 1516),
        ("Mathematical Principles of Natural Philosophy", "Isaac Newton", 1687),
    ]
}
