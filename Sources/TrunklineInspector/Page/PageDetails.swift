extension PageText {
    /// The panel with one exchange: what is loaded, its tabs, the overview.
    static let details = #"""

        const tabs = ["overview", "request", "response", "curl"];
        let tab = "overview";
        let shownDetails = null;
        /** Which attempt is shown; null for the one that brought the answer. */
        let attemptIndex = null;
        let loading = false;
        let isStale = false;

        async function load() {
          if (loading) {
            isStale = true;
            return;
          }
          loading = true;
          const id = chosen;
          try {
            const answer = await fetch(`exchanges/${id}`);
            const details = answer.ok ? await answer.json() : null;
            if (chosen === id) details ? showDetails(details) : showGone();
          } catch {
            if (chosen === id) setText(byId("panel"), "The inspector does not answer.");
          }
          loading = false;
          if (isStale || (chosen !== null && chosen !== id)) {
            isStale = false;
            if (chosen !== null) load();
          }
        }

        function showGone() {
          shownDetails = null;
          byId("attempts").hidden = true;
          byId("panel").replaceChildren(make("p", "note", "This exchange is no longer kept."));
        }

        /** What there is to choose from: attempts, and an answer without one. */
        function parts(details) {
          const parts = details.attempts.map((attempt) => ({ ...attempt, name: attemptName(attempt) }));
          if (details.answer || parts.length === 0) {
            const last = details.attempts[details.attempts.length - 1];
            parts.push({
              name: { cache: "From cache", shared: "Shared answer" }[details.answerSource] ?? "Answer",
              response: details.answer,
              request: details.request ?? last?.request, curl: details.curl ?? last?.curl, url: details.url,
            });
          }
          return parts;
        }

        function attemptName(attempt) {
          const outcome = attempt.response?.status || (attempt.response?._error ? "failed" : "active");
          return `Attempt ${attempt.number}: ${outcome}`;
        }

        function showDetails(details) {
          const isSame = shownDetails?.summary.id === details.summary.id;
          shownDetails = details;
          const exchange = details.summary;
          setText(byId("dStatus"), statusText(exchange));
          byId("dStatus").dataset.class = statusClass(exchange);
          setText(byId("dMethod"), exchange.method || "Invalid request");
          setText(byId("dURL"), details.url);
          for (const name of tabs) {
            const button = byId(`tab-${name}`);
            button.setAttribute("aria-selected", String(name === tab));
            button.tabIndex = name === tab ? 0 : -1;
          }
          byId("panel").setAttribute("aria-labelledby", `tab-${tab}`);
          const all = parts(details);
          const index = Math.min(attemptIndex ?? all.length - 1, all.length - 1);
          const attempts = byId("attempts");
          attempts.hidden = all.length < 2 || tab === "overview";
          attempts.replaceChildren(...all.map((part, position) => {
            const button = make("button", "", part.name);
            button.type = "button";
            button.setAttribute("aria-pressed", String(position === index));
            button.addEventListener("click", () => {
              attemptIndex = position;
              showDetails(details);
              byId("attempts").children[position]?.focus();
            });
            return button;
          }));
          const panel = byId("panel");
          const top = isSame ? panel.scrollTop : 0;
          const show = { overview: showOverview, request: showRequest, response: showResponse, curl: showCURL }[tab];
          panel.replaceChildren(...show(details, all[index]).filter(Boolean));
          panel.scrollTop = top;
        }

        function facts(pairs) {
          const facts = make("dl", "facts");
          for (const [name, value, isBad] of pairs) {
            if (value === null || value === undefined || value === "") continue;
            facts.append(make("dt", "", name), make("dd", isBad ? "bad" : "", String(value)));
          }
          return facts;
        }

        function showOverview(details) {
          const exchange = details.summary;
          const last = details.attempts[details.attempts.length - 1];
          const connection = { true: "used again", false: "new" }[last?.isReused];
          return [
            facts([
              ["Error", exchange.error, exchange.state === "failed"],
              ["Request", `#${exchange.id}`],
              ["Started", formatDate(exchange.date)],
              ["Duration", exchange.state === "active" ? "under way" : formatTime(exchange.duration)],
              ["Content", [exchange.type, formatSize(exchange.size)].filter(Boolean).join(", ")],
              ["Transferred", last && last.received !== undefined && last.received !== exchange.size
                ? formatSize(last.received) : ""],
              ["Protocol", last?.spoken],
              ["Server", last?.remote],
              ["Connection", connection],
              ["Cache", exchange.cache],
              ["Attempts", exchange.attempts > 1 ? exchange.attempts : ""],
            ]),
            exchange.phases.length ? make("h2", "", "Timing") : null,
            exchange.phases.length ? timing(exchange) : null,
            make("h2", "", "What happened"),
            timeline(details),
          ];
        }

        function timing(exchange) {
          const total = Math.max(exchange.duration ?? 0, ...exchange.phases.map((phase) => phase.to)) || 1;
          const grid = make("div", "phases");
          for (const [kind, name] of Object.entries(phaseNames)) {
            const phases = exchange.phases.filter((phase) => phase.kind === kind);
            if (!phases.length) continue;
            const sum = phases.reduce((sum, phase) => sum + phase.to - phase.from, 0);
            grid.append(
              make("span", "name", name),
              make("span", "track", ...phases.map((phase) => bar(kind, phase.from / total, phase.to / total))),
              make("span", "value", formatTime(sum)));
          }
          return grid;
        }

        function timeline(details) {
          const items = details.timeline.map((item) => {
            const line = make(
              "li", "", make("time", "", formatTime(item.at)), make("span", "dot"), make("span", "what", item.text));
            line.dataset.kind = item.kind;
            return line;
          });
          if (details.droppedNotes) items.push(make("li", "", `${details.droppedNotes} were not kept`));
          return make("ol", "timeline", ...items);
        }
        """#
}
