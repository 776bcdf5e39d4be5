extension PageText {
    /// The bars. Their axis is that of the rows in view, so that they are never too small to read; stretches in which
    /// nothing happens are cut short.
    static let waterfall = #"""

        const phaseNames = {
          blocked: "Waiting", dns: "DNS", connect: "Connect", tls: "TLS", wait: "Server", receive: "Receive",
          local: "Cache",
        };

        /** A function from times to places between 0 and 1. */
        function axisOf(spans) {
          const sorted = [...spans].sort((left, right) => left[0] - right[0]);
          const busy = [];
          for (const [from, to] of sorted) {
            const last = busy[busy.length - 1];
            if (last && from <= last[1]) last[1] = Math.max(last[1], to);
            else busy.push([from, Math.max(to, from + 0.01)]);
          }
          const length = busy.reduce((sum, [from, to]) => sum + to - from, 0);
          const most = Math.max(length * 0.05, 1);
          let place = 0;
          const pieces = [];
          busy.forEach(([from, to], index) => {
            if (index > 0) place += Math.min(from - busy[index - 1][1], most);
            pieces.push({ from, to, place });
            place += to - from;
          });
          const total = place || 1;
          return {
            busy: length,
            at(time) {
              let result = 0;
              for (const piece of pieces) {
                if (time < piece.from) break;
                result = piece.place + Math.min(time, piece.to) - piece.from;
              }
              return result / total;
            },
          };
        }

        function bar(kind, from, to) {
          const element = make("i", `ph ${kind}`);
          // The smallest bar has its room at the very end too.
          element.style.left = `min(${from * 100}%, 100% - 2px)`;
          element.style.width = `${Math.max(0, to - from) * 100}%`;
          return element;
        }

        function paintRow(exchange, track, axis) {
          const bars = exchange.phases.filter((phase) => phaseNames[phase.kind]).map((phase) =>
            bar(phase.kind, axis.at(exchange.start + phase.from), axis.at(exchange.start + phase.to)));
          if (exchange.state === "active") {
            const last = exchange.phases.length ? Math.max(...exchange.phases.map((phase) => phase.to)) : 0;
            bars.push(bar("open", axis.at(exchange.start + last), axis.at(endOf(exchange))));
          }
          // What was over at once still has its place.
          if (bars.length === 0) bars.push(bar("blocked", axis.at(exchange.start), axis.at(endOf(exchange))));
          track.replaceChildren(...bars);
        }

        function phaseText(exchange) {
          return exchange.phases.filter((phase) => phaseNames[phase.kind])
            .map((phase) => `${phaseNames[phase.kind]} ${formatTime(phase.to - phase.from)}`).join(", ");
        }

        let painting = false;

        function paintSoon() {
          if (painting) return;
          painting = true;
          requestAnimationFrame(() => {
            painting = false;
            paint();
          });
        }

        function paint() {
          const frame = scroller.getBoundingClientRect();
          const inView = [];
          for (const [id, row] of rows) {
            if (row.element.hidden) continue;
            const box = row.element.getBoundingClientRect();
            if (box.bottom > frame.top && box.top < frame.bottom) inView.push([exchanges.get(id), row]);
          }
          const ended = inView.map(([exchange]) => exchange).filter((exchange) => exchange.state !== "active");
          // What stays under way, a stream say, must not make all others too small to be seen: it runs out of the axis.
          const longest = ended.length ? Math.max(50, ...ended.map((exchange) => exchange.duration)) : Infinity;
          const axis = axisOf(inView.map(([exchange]) => exchange.state === "active"
            ? [exchange.start, Math.min(endOf(exchange), exchange.start + longest)]
            : [exchange.start, endOf(exchange)]));
          for (const [exchange, row] of inView) {
            paintRow(exchange, row.track, axis);
            if (exchange.state === "active") setText(row.time, formatTime(endOf(exchange) - exchange.start));
          }
          setText(byId("axis"), inView.length ? formatTime(axis.busy) : "");
        }

        // What is under way grows.
        setInterval(() => {
          for (const exchange of exchanges.values()) {
            if (exchange.state === "active" && source) return paintSoon();
          }
        }, 250);
        """#
}
