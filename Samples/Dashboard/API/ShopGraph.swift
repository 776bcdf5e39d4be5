import Trunkline

/// What the shop's page is made of, and what each part needs.
struct ShopGraph {
    let profile = NodeKey<Profile>("profile")
    let catalogue = NodeKey<Catalogue>("catalogue")
    let orders = NodeKey<[Product]>("orders")
    let friends = NodeKey<[Friend]>("friends")
    let gifts = NodeKey<[Product]>("gifts")
    let recommendations = NodeKey<[Product]>("recommendations")

    /// Notes when each part was loaded. An app leaves it out.
    let timeline = Timeline()

    /// The graph, ready to run.
    ///
    /// - Throws: `GroupError` when parts need each other in a circle, or one that is not there.
    func plan() throws(GroupError) -> DependencyPlan {
        var graph = DependencyGraph()
        graph.add(profile) { [timeline] in
            try await timeline.measure("profile") { try await ProfileAPI().loadValue() }
        }
        graph.add(catalogue) { [timeline] in
            try await timeline.measure("catalogue") { try await CatalogueAPI().loadValue() }
        }
        // The values of the parts a part needs are handed to it, each with its type.
        graph.add(orders, after: profile) { [timeline] profile in
            try await timeline.measure("orders") { try await OrdersAPI(of: profile).loadValue() }
        }
        graph.add(friends, after: profile) { [timeline] profile in
            try await timeline.measure("friends") { try await FriendsAPI(of: profile).loadValue() }
        }
        graph.add(gifts, after: friends) { [timeline] friends in
            try await timeline.measure("gifts") { try await GiftsAPI(for: friends).loadValue() }
        }
        graph.add(recommendations, after: orders, catalogue) { [timeline] orders, catalogue in
            try await timeline.measure("recommendations") {
                try await RecommendationsAPI(for: orders, from: catalogue).loadValue()
            }
        }
        return try graph.build()
    }
}
