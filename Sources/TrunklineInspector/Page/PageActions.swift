extension PageText {
    /// Buttons and keys.
    static let actions = #"""

        async function copy(text) {
          try {
            await navigator.clipboard.writeText(text);
          } catch {
            const area = make("textarea", "");
            area.value = text;
            document.body.append(area);
            area.select();
            document.execCommand("copy");
            area.remove();
          }
          toast("Copied");
        }

        let toastTimer = 0;

        function toast(text) {
          const element = byId("toast");
          element.hidden = false;
          setText(element, text);
          clearTimeout(toastTimer);
          toastTimer = setTimeout(() => (element.hidden = true), 1800);
        }

        function readFilter() {
          filter = {
            words: byId("text").value.toLowerCase().split(/\s+/).filter(Boolean),
            method: byId("method").value,
            status: document.querySelector("input[name=status]:checked")?.value ?? "all",
          };
          applyFilter();
        }

        byId("filters").addEventListener("input", readFilter);
        byId("filters").addEventListener("submit", (event) => event.preventDefault());
        byId("reset").addEventListener("click", () => {
          byId("filters").reset();
          readFilter();
        });
        byId("clear").addEventListener("click", async () => {
          const answer = await fetch("clear", { method: "POST" }).catch(() => null);
          if (!answer?.ok) toast("The inspector does not answer");
        });
        byId("pause").addEventListener("click", (event) => {
          const paused = event.currentTarget.getAttribute("aria-pressed") !== "true";
          event.currentTarget.setAttribute("aria-pressed", String(paused));
          pause(paused);
        });
        byId("close").addEventListener("click", closeDetails);

        for (const name of tabs) {
          byId(`tab-${name}`).addEventListener("click", () => showTab(name));
        }

        function showTab(name) {
          tab = name;
          byId("panel").scrollTop = 0;
          if (shownDetails) showDetails(shownDetails);
        }

        document.querySelector(".tabs").addEventListener("keydown", (event) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
          if (!step) return;
          event.preventDefault();
          showTab(tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length]);
          byId(`tab-${tab}`).focus();
        });

        list.addEventListener("keydown", (event) => {
          const ids = shownIDs();
          if (!ids.length) return;
          const index = ids.indexOf(chosen ?? resume);
          const next = {
            ArrowDown: Math.min(index + 1, ids.length - 1),
            ArrowUp: index < 0 ? ids.length - 1 : Math.max(index - 1, 0),
            Home: 0, End: ids.length - 1,
          }[event.key];
          if (next !== undefined) {
            event.preventDefault();
            choose(ids[next]);
          } else if (event.key === "Enter" && chosen !== null) {
            event.preventDefault();
            byId(`tab-${tab}`).focus();
          }
        });

        document.addEventListener("keydown", (event) => {
          const isTyping = event.target.matches?.("input[type=search], select, textarea");
          if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
            event.preventDefault();
            byId("text").focus();
          } else if (event.key === "Escape" && !isTyping) {
            closeDetails();
          }
        });

        listen();
        applyFilter();
        """#
}
