extension BookData {
    static let german: [Row] = [
        ("The Sorrows of Young Werther", "Johann Wolfgang von Goethe", 1774),
        ("Faust, Part One", "Johann Wolfgang von Goethe", 1808),
        ("Critique of Pure Reason", "Immanuel Kant", 1781),
        ("The Robbers", "Friedrich Schiller", 1781),
        ("The Swiss Family Robinson", "Johann David Wyss", 1812),
        ("Children's and Household Tales", "Jacob and Wilhelm Grimm", 1812),
        ("Capital, Volume One", "Karl Marx", 1867),
        ("Heidi", "Johanna Spyri", 1880),
        ("Thus Spoke Zarathustra", "Friedrich Nietzsche", 1883),
        ("Beyond Good and Evil", "Friedrich Nietzsche", 1886),
        ("Effi Briest", "Theodor Fontane", 1895),
        ("Buddenbrooks", "Thomas Mann", 1901),
        ("Death in Venice", "Thomas Mann", 1912),
        ("The Magic Mountain", "Thomas Mann", 1924),
        ("The Metamorphosis", "Franz Kafka", 1915),
        ("The Trial", "Franz Kafka", 1925),
        ("Demian", "Hermann Hesse", 1919),
        ("Siddhartha", "Hermann Hesse", 1922),
    ]
}
