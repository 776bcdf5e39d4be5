print("BookShelf")
