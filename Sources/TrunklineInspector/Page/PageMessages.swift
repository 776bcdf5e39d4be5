extension PageText {
    /// The panel's tabs with the messages of one attempt.
    static let messages = #"""

        function heading(text, ...buttons) {
          return make("h2", "", text, ...buttons);
        }

        function button(text, action) {
          const button = make("button", "", text);
          button.type = "button";
          button.addEventListener("click", () => action(button));
          return button;
        }

        function fields(pairs) {
          const body = make("tbody", "");
          for (const { name, value } of pairs) {
            const head = make("th", "", name);
            head.scope = "row";
            body.append(make("tr", "", head, make("td", "", value)));
          }
          return make("table", "fields", body);
        }

        function section(title, pairs) {
          return pairs?.length ? [heading(`${title} (${pairs.length})`), fields(pairs)] : [];
        }

        /** A content: laid out where it is JSON, as numbers where it is no text. */
        function content(title, text, type, encoding, comment, size) {
          const parts = [];
          if (text) {
            const isBase64 = encoding === "base64";
            const laidOut = !isBase64 && isJSON(type, text);
            const code = make("pre", `code${isBase64 ? " bytes" : ""}`,
              isBase64 ? dump(text) : laidOut ? layOut(text) : text);
            const buttons = [];
            if (laidOut) {
              const raw = button("As sent", () => {
                const isRaw = raw.getAttribute("aria-pressed") !== "true";
                raw.setAttribute("aria-pressed", String(isRaw));
                code.textContent = isRaw ? text : layOut(text);
              });
              raw.setAttribute("aria-pressed", "false");
              buttons.push(raw);
            }
            if (!isBase64) buttons.push(button("Copy", () => copy(text)));
            const words = [title, type, size].filter(Boolean).join(", ");
            parts.push(heading(words, ...buttons), code);
          }
          if (comment) parts.push(make("p", "note", comment[0].toUpperCase() + comment.slice(1) + "."));
          return parts;
        }

        function showRequest(details, part) {
          const request = part?.request;
          if (!request) return [make("p", "note", "The request could not be made.")];
          const post = request.postData;
          const parts = [
            facts([["Method", request.method], ["URL", part.url ?? request.url], ["Protocol", request.httpVersion]]),
            ...section("Query", request.queryString),
            ...section("Header fields", request.headers),
          ];
          if (post) {
            if (post.params.length) {
              parts.push(...section("Form", post.params.map((item) => ({
                name: item.name, value: item.value ?? item.fileName ?? "",
              }))));
            }
            if (post.text && !post.params.length) {
              const size = formatSize(request.bodySize);
              parts.push(...content("Content", post.text, post.mimeType, post._encoding, "", size));
            }
            if (post.comment) parts.push(make("p", "note", `Content: ${post.comment}.`));
          }
          return parts;
        }

        function showResponse(details, part) {
          const response = part?.response;
          if (!response) {
            const { state, error } = details.summary;
            const text = state === "active" ? "There is no answer yet." : "There was no answer.";
            return [make("p", "note", text), error ? make("p", "note bad", error) : null];
          }
          const body = response.content;
          const size = formatSize(body.size);
          return [
            response._error ? make("p", "note bad", response._error) : null,
            response.status ? facts([
              ["Status", `${response.status} ${response.statusText}`.trim()], ["Protocol", response.httpVersion],
              ["Redirects to", response.redirectURL],
            ]) : null,
            ...section("Header fields", response.headers),
            ...section("Trailer fields", response._trailers),
            ...content("Content", body.text, body.mimeType, body.encoding, body.comment, size),
            response.status && !body.text && !body.comment ? make("p", "note", "No content.") : null,
          ];
        }

        function showCURL(details, part) {
          const text = part?.curl;
          if (!text) return [make("p", "note", "There is no request to be sent.")];
          return [
            heading("Command", button("Copy", () => copy(text))),
            make("pre", "code", text),
            text.includes("<redacted>")
              ? make("p", "note", "What is secret is masked: put it in before you run the command.") : null,
          ];
        }
        """#
}
