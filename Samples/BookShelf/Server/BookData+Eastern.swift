extension BookData {
    static let polish: [Row] = [
        ("Pan Tadeusz", "Adam Mickiewicz", 1834),
        ("The Doll", "Bolesław Prus", 1890),
        ("Quo Vadis", "Henryk Sienkiewicz", 1896),
    ]

    static let czech: [Row] = [
        ("R.U.R.", "Karel Čapek", 1920),
        ("The Good Soldier Švejk", "Jaroslav Hašek", 1921),
    ]

    static let hungarian: [Row] = [
        ("The Paul Street Boys", "Ferenc Molnár", 1907)
    ]

    static let japanese: [Row] = [
        ("I Am a Cat", "Natsume Sōseki", 1905),
        ("Botchan", "Natsume Sōseki", 1906),
        ("Kokoro", "Natsume Sōseki", 1914),
    ]

    static let chinese: [Row] = [
        ("Dream of the Red Chamber", "Cao Xueqin", 1791),
        ("Call to Arms", "Lu Xun", 1923),
    ]

    static let bengali: [Row] = [
        ("Gitanjali", "Rabindranath Tagore", 1910)
    ]
}
