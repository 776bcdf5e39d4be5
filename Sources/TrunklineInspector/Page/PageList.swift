extension PageText {
    /// The rows.
    static let list = #"""

        const list = byId("list");
        const scroller = byId("scroll");
        const rows = new Map();

        function newRow(id) {
          const row = {
            element: make("li", "row"), status: make("span", "status"), method: make("span", "method"),
            path: make("span", "path"), host: make("span", "host"), error: make("span", "error"),
            badges: make("span", "badges"),
            size: make("span", "size"), time: make("span", "time"), track: make("span", "track"),
          };
          row.element.id = `row-${id}`;
          row.element.setAttribute("role", "option");
          row.element.setAttribute("aria-selected", "false");
          row.element.append(
            row.status, row.method,
            make("span", "target", row.path, make("span", "under", row.host, row.badges, row.error)),
            row.size, row.time, make("span", "fall", row.track));
          row.element.addEventListener("click", () => choose(id));
          rows.set(id, row);
          // Rows stand in the order of their numbers, which is that of their start: a new one is usually the last.
          let before = list.lastElementChild;
          while (before && Number(before.id.slice(4)) > id) before = before.previousElementSibling;
          if (before) before.after(row.element);
          else list.prepend(row.element);
          return row;
        }

        function showRow(exchange) {
          const row = rows.get(exchange.id) ?? newRow(exchange.id);
          setText(row.status, statusText(exchange));
          row.status.dataset.class = statusClass(exchange);
          row.status.title = exchange.error ?? "";
          setText(row.method, exchange.method || "\u2013");
          setText(row.path, exchange.path || (exchange.host ? "/" : "Invalid request"));
          row.path.title = exchange.host ? `${exchange.scheme}://${exchange.host}${exchange.path}` : "";
          setText(row.host, exchange.host);
          setText(row.error, exchange.state === "failed" && !exchange.status ? exchange.error : "");
          row.badges.replaceChildren(...badges(exchange).map((text) => make("span", "badge", text)));
          setText(row.size, exchange.status || exchange.size ? formatSize(exchange.size) : "");
          setText(row.time, formatTime(exchange.duration ?? endOf(exchange) - exchange.start));
          row.track.title = phaseText(exchange);
        }

        function badges(exchange) {
          const texts = [];
          const cacheWords = {
            hit: "cache hit", stale: "stale", revalidated: "revalidated", fallback: "cache fallback",
            refused: "not in cache",
          };
          if (cacheWords[exchange.cache]) texts.push(cacheWords[exchange.cache]);
          if (exchange.isCoalesced) texts.push("shared");
          if (exchange.redirects) texts.push(plural(exchange.redirects, "redirect"));
          if (exchange.retries) texts.push(exchange.retries === 1 ? "1 retry" : `${exchange.retries} retries`);
          return texts;
        }

        function removeRow(id) {
          rows.get(id)?.element.remove();
          rows.delete(id);
          if (chosen === id) showGone();
        }

        function applyFilter() {
          let shown = 0;
          for (const [id, row] of rows) {
            const isShown = matches(exchanges.get(id));
            if (isShown) shown++;
            row.element.hidden = !isShown;
          }
          const all = exchanges.size;
          setText(byId("count"), shown === all ? plural(all, "request") : `${shown} of ${plural(all, "request")}`);
          byId("empty").hidden = shown > 0;
          setText(byId("emptyText"), all ? "No request matches the filter." : "No requests yet.");
          byId("emptyHint").hidden = all > 0;
          byId("reset").hidden = all === 0;
          paintSoon();
        }

        /** The numbers of the rows that are shown, in their order. */
        function shownIDs() {
          return [...rows].filter(([, row]) => !row.element.hidden).map(([id]) => id)
            .sort((left, right) => left - right);
        }

        function choose(id) {
          if (chosen !== null) rows.get(chosen)?.element.setAttribute("aria-selected", "false");
          if (chosen !== id) attemptIndex = null;
          chosen = id;
          const row = rows.get(id);
          if (row) {
            row.element.setAttribute("aria-selected", "true");
            list.setAttribute("aria-activedescendant", row.element.id);
          }
          byId("main").classList.add("chosen");
          byId("details").hidden = false;
          row?.element.scrollIntoView({ block: "nearest" });
          load();
          paintSoon();
        }

        /** Where the arrows go on after the details were closed. */
        let resume = null;

        function closeDetails() {
          if (chosen === null) return;
          rows.get(chosen)?.element.setAttribute("aria-selected", "false");
          list.removeAttribute("aria-activedescendant");
          resume = chosen;
          chosen = null;
          shownDetails = null;
          byId("details").hidden = true;
          byId("main").classList.remove("chosen");
          list.focus({ preventScroll: true });
          paintSoon();
        }

        scroller.addEventListener("scroll", paintSoon, { passive: true });
        new ResizeObserver(paintSoon).observe(scroller);
        """#
}
