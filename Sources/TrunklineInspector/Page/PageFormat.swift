extension PageText {
    /// Making elements, and how numbers and contents are written. Nothing in the page turns text into markup.
    static let format = #"""
        "use strict";

        const byId = (id) => document.getElementById(id);

        /** Makes an element; everything that came from a server goes in as text. */
        function make(tag, className, ...children) {
          const element = document.createElement(tag);
          if (className) element.className = className;
          element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
          return element;
        }

        function setText(element, text) {
          if (element.textContent !== text) element.textContent = text;
        }

        function formatTime(milliseconds) {
          if (milliseconds === null || milliseconds === undefined) return "";
          if (milliseconds < 10) return `${Math.round(milliseconds * 10) / 10} ms`;
          if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
          if (milliseconds < 60000) return `${(milliseconds / 1000).toFixed(2)} s`;
          const minutes = Math.floor(milliseconds / 60000);
          return `${minutes} min ${Math.round((milliseconds % 60000) / 1000)} s`;
        }

        function formatSize(bytes) {
          if (bytes === null || bytes === undefined || bytes < 0) return "";
          if (bytes < 1000) return `${bytes} B`;
          let value = bytes;
          for (const unit of ["kB", "MB", "GB"]) {
            value /= 1000;
            if (value < 999.5 || unit === "GB") return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
          }
        }

        function formatDate(milliseconds) {
          const date = new Date(milliseconds);
          const part = (value, digits = 2) => String(value).padStart(digits, "0");
          return `${date.getFullYear()}-${part(date.getMonth() + 1)}-${part(date.getDate())} `
            + `${part(date.getHours())}:${part(date.getMinutes())}:${part(date.getSeconds())}`
            + `.${part(date.getMilliseconds(), 3)}`;
        }

        const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

        /** Lays JSON out without reading its numbers, which may be larger than JavaScript's. */
        function layOut(text) {
          let output = "";
          let depth = 0;
          let quoted = false;
          const line = () => "\n" + "  ".repeat(Math.max(0, depth));
          for (let index = 0; index < text.length; index++) {
            const character = text[index];
            if (quoted) {
              output += character;
              if (character === "\\") output += text[++index] ?? "";
              else if (character === "\"") quoted = false;
            } else if (character === "\"") {
              quoted = true;
              output += character;
            } else if (character === "{" || character === "[") {
              let next = index + 1;
              while (/\s/.test(text[next] ?? "")) next++;
              if (text[next] === "}" || text[next] === "]") {
                output += character + text[next];
                index = next;
              } else {
                depth++;
                output += character + line();
              }
            } else if (character === "}" || character === "]") {
              depth--;
              output += line() + character;
            } else if (character === ",") {
              output += character + line();
            } else if (character === ":") {
              output += ": ";
            } else if (!/\s/.test(character)) {
              output += character;
            }
          }
          return output;
        }

        function isJSON(type, text) {
          if (!/[/+]json\b/i.test(type)) return false;
          try {
            JSON.parse(text);
            return true;
          } catch {
            return false;
          }
        }

        /** The first bytes of content that is no text, as numbers and letters. */
        function dump(base64, limit = 512) {
          let bytes;
          try {
            bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
          } catch {
            return base64;
          }
          const lines = [];
          for (let start = 0; start < Math.min(bytes.length, limit); start += 16) {
            const part = [...bytes.slice(start, start + 16)];
            const numbers = part.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
            const letters = part.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".")).join("");
            lines.push(`${start.toString(16).padStart(4, "0")}  ${numbers.padEnd(47)}  ${letters}`);
          }
          if (bytes.length > limit) lines.push(`(${bytes.length - limit} more bytes)`);
          return lines.join("\n");
        }
        """#
}
