extension BookData {
    static let russian: [Row] = [
        ("Eugene Onegin", "Alexander Pushkin", 1833),
        ("The Captain's Daughter", "Alexander Pushkin", 1836),
        ("A Hero of Our Time", "Mikhail Lermontov", 1840),
        ("The Overcoat", "Nikolai Gogol", 1842),
        ("Dead Souls", "Nikolai Gogol", 1842),
        ("Oblomov", "Ivan Goncharov", 1859),
        ("Fathers and Sons", "Ivan Turgenev", 1862),
        ("What Is to Be Done?", "Nikolay Chernyshevsky", 1863),
        ("Notes from Underground", "Fyodor Dostoevsky", 1864),
        ("Crime and Punishment", "Fyodor Dostoevsky", 1866),
        ("The Idiot", "Fyodor Dostoevsky", 1869),
        ("Demons", "Fyodor Dostoevsky", 1872),
        ("The Brothers Karamazov", "Fyodor Dostoevsky", 1880),
        ("War and Peace", "Leo Tolstoy", 1869),
        ("Anna Karenina", "Leo Tolstoy", 1878),
        ("The Death of Ivan Ilyich", "Leo Tolstoy", 1886),
        ("Resurrection", "Leo Tolstoy", 1899),
        ("Uncle Vanya", "Anton Chekhov", 1897),
        ("The Cherry Orchard", "Anton Chekhov", 1904),
        ("Mother", "Maxim Gorky", 1906),
    ]
}
