extension PageText {
    /// What the page knows, and how it hears of it.
    static let model = #"""

        const exchanges = new Map();
        let filter = { words: [], method: "", status: "all" };
        let chosen = null;
        let source = null;
        /** The difference between the inspector's clock and the page's. */
        let clock = 0;

        const now = () => performance.now() + clock;
        const endOf = (exchange) => exchange.start + (exchange.duration ?? Math.max(0, now() - exchange.start));

        function listen() {
          source = new EventSource("events");
          source.onopen = () => showLive("live", "Live");
          source.onerror = () => showLive("gone", "Not connected");
          source.onmessage = (message) => take(JSON.parse(message.data));
        }

        function pause(paused) {
          if (paused) {
            source?.close();
            source = null;
            showLive("paused", "Paused");
          } else {
            // A new listener hears everything anew, what happened meanwhile included.
            listen();
          }
        }

        function showLive(state, text) {
          byId("live").parentElement.dataset.state = state;
          setText(byId("live"), text);
        }

        function take(update) {
          clock = update.now - performance.now();
          const isAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 8;
          if (update.reset) {
            const known = new Set(update.exchanges.map((exchange) => exchange.id));
            for (const id of [...exchanges.keys()]) if (!known.has(id)) forget(id);
          }
          for (const id of update.removed) forget(id);
          for (const exchange of update.exchanges) {
            exchanges.set(exchange.id, exchange);
            showRow(exchange);
          }
          showMethods();
          applyFilter();
          if (isAtEnd && chosen === null) scroller.scrollTop = scroller.scrollHeight;
          if (chosen !== null && update.exchanges.some((exchange) => exchange.id === chosen)) load();
        }

        function forget(id) {
          exchanges.delete(id);
          removeRow(id);
        }

        function statusClass(exchange) {
          if (exchange.status) return String(Math.floor(exchange.status / 100));
          return exchange.state === "done" ? "2" : exchange.state;
        }

        function statusText(exchange) {
          if (exchange.status) return String(exchange.status);
          return { active: "Active", done: "Done", failed: "Failed", cancelled: "Cancelled" }[exchange.state];
        }

        function matches(exchange) {
          if (filter.method && exchange.method !== filter.method) return false;
          switch (filter.status) {
            case "all": break;
            case "active": if (exchange.state !== "active") return false; break;
            case "failed": if (exchange.state !== "failed" && exchange.state !== "cancelled") return false; break;
            default: if (statusClass(exchange) !== filter.status) return false;
          }
          if (filter.words.length === 0) return true;
          const text = [
            exchange.method, `${exchange.scheme}://${exchange.host}${exchange.path}`, statusText(exchange),
            exchange.type, exchange.error ?? "", exchange.cache ?? "",
          ].join(" ").toLowerCase();
          return filter.words.every((word) => text.includes(word));
        }

        function showMethods() {
          const methods = [...new Set([...exchanges.values()].map((exchange) => exchange.method))]
            .filter(Boolean).sort();
          const select = byId("method");
          const shown = [...select.options].slice(1).map((option) => option.value);
          if (filter.method && !methods.includes(filter.method)) methods.push(filter.method);
          if (shown.join() === methods.join()) return;
          select.replaceChildren(select.options[0]);
          for (const method of methods) {
            const option = make("option", "", method);
            option.value = method;
            select.append(option);
          }
          select.value = filter.method;
        }
        """#
}
