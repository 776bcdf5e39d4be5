extension PageText {
    static let layout = #"""
        :root {
          --bg: #f6f7f9; --pane: #ffffff; --text: #1b1f26; --muted: #5b6472; --line: #e3e6eb; --hover: #f1f4f8;
          --chosen: #e6f0ff; --accent: #1f6feb; --accent-text: #1a5fd0; --code: #f6f7f9; --on-accent: #ffffff;
          --ok: #187a3e; --moved: #1a5fd0; --client: #a35200; --server: #c0272d; --gone: #5b6472;
          --blocked: #b4bac4; --dns: #0d9488; --connect: #e8872b; --tls: #9a5bd6; --wait: #3fa45b; --receive: #2f7df4;
          --local: #7c8798; --shadow: 0 8px 28px rgb(20 28 40 / 14%);
          --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --bg: #13161b; --pane: #1a1e24; --text: #e5e8ed; --muted: #9aa4b2; --line: #2a3038; --hover: #20252c;
            --chosen: #1c3050; --accent: #4c8dff; --accent-text: #7fb0ff; --code: #14181d; --on-accent: #0c1420;
            --ok: #5cc983; --moved: #7fb0ff; --client: #f0a35a; --server: #ff8080; --gone: #9aa4b2;
            --blocked: #59616d; --dns: #2bb8aa; --connect: #f09a4a; --tls: #b382ea; --wait: #57c178; --receive: #5b9bff;
            --local: #8995a6; --shadow: 0 8px 28px rgb(0 0 0 / 50%);
          }
        }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        html, body { height: 100%; }
        body {
          margin: 0; display: flex; flex-direction: column; background: var(--bg); color: var(--text);
          font: 13px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
          -webkit-text-size-adjust: 100%;
        }
        h1, h2, p, ul, ol, dl, dd, pre { margin: 0; padding: 0; }
        ul, ol { list-style: none; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }

        button, .button, select, input[type="search"] {
          font: inherit; color: inherit; background: var(--pane); border: 1px solid var(--line); border-radius: 7px;
          height: 32px; padding: 0 11px;
        }
        button, .button {
          cursor: pointer; display: inline-flex; align-items: center; text-decoration: none; white-space: nowrap;
        }
        button:hover, .button:hover, select:hover { background: var(--hover); }
        button[aria-pressed="true"] {
          background: var(--accent); border-color: var(--accent); color: var(--on-accent);
        }
        button.plain { background: none; border-color: transparent; color: var(--muted); height: 28px; padding: 0 8px; }
        button.plain:hover { background: var(--hover); color: var(--text); }

        .bar { display: flex; align-items: center; gap: 14px; padding: 10px 16px 0; flex: none; }
        .bar h1 { font-size: 15px; font-weight: 600; display: flex; align-items: center; gap: 8px; }
        .live { display: flex; align-items: center; gap: 6px; color: var(--muted); }
        .live::before {
          content: ""; width: 8px; height: 8px; border-radius: 50%; background: var(--connect);
        }
        .live[data-state="live"]::before { background: var(--wait); }
        .live[data-state="paused"]::before { background: var(--blocked); }
        .live[data-state="gone"]::before { background: var(--server); }
        .count { color: var(--muted); font-variant-numeric: tabular-nums; }
        .tools { margin-left: auto; display: flex; gap: 8px; }

        .filters { display: flex; gap: 8px; padding: 10px 16px; flex: none; align-items: center; }
        .filters input[type="search"] { flex: 1 1 240px; min-width: 0; }
        .filters ::placeholder { color: var(--muted); opacity: 1; }
        .chips {
          display: flex; border: 1px solid var(--line); border-radius: 7px; background: var(--pane); overflow: hidden;
        }
        .chips label { position: relative; cursor: pointer; }
        .chips input { position: absolute; opacity: 0; inset: 0; margin: 0; cursor: pointer; }
        .chips span { display: block; padding: 0 11px; line-height: 30px; color: var(--muted); }
        .chips label + label span { border-left: 1px solid var(--line); }
        .chips label:hover span { background: var(--hover); color: var(--text); }
        .chips input:checked + span { background: var(--chosen); color: var(--accent-text); font-weight: 550; }
        .chips input:focus-visible + span {
          outline: 2px solid var(--accent); outline-offset: -2px; border-radius: 7px;
        }

        .main { flex: 1; min-height: 0; display: flex; border-top: 1px solid var(--line); }
        .pane {
          flex: 1 1 54%; min-width: 0; display: flex; flex-direction: column; background: var(--pane);
          position: relative;
        }
        .details {
          flex: 0 0 46%; min-width: 0; display: flex; flex-direction: column; background: var(--pane);
          border-left: 1px solid var(--line);
        }

        .columns, .row {
          display: grid; align-items: center; column-gap: 12px; padding: 0 16px;
          grid-template-columns: 68px 60px minmax(0, 1fr) 70px 70px minmax(180px, 36%);
        }
        .chosen .columns, .chosen .row { grid-template-columns: 68px 56px minmax(0, 1fr) 62px 64px minmax(110px, 24%); }
        .columns {
          position: sticky; top: 0; z-index: 1; height: 30px; color: var(--muted); font-size: 12px;
          background: var(--pane); border-bottom: 1px solid var(--line);
        }
        .scroll { flex: 1; min-height: 0; overflow-y: auto; scroll-padding-top: 31px; }
        .columns .fall { display: flex; justify-content: space-between; gap: 8px; }
        .end { text-align: right; }
        .list { outline: none; }
        .scroll:has(.list:focus-visible:not([aria-activedescendant])) {
          outline: 2px solid var(--accent); outline-offset: -2px;
        }

        .legend {
          flex: none; display: flex; flex-wrap: wrap; gap: 4px 16px; padding: 7px 16px; color: var(--muted);
          font-size: 12px; border-top: 1px solid var(--line);
        }
        .legend li { display: flex; align-items: center; gap: 6px; }
        .legend .ph { position: static; width: 12px; height: 8px; }

        @media (max-width: 900px) {
          .chosen .pane { visibility: hidden; }
          .details {
            position: fixed; inset: 0; z-index: 2; border-left: 0;
          }
        }
        @media (max-width: 760px) {
          .bar { padding: 10px 12px 0; gap: 10px; }
          .bar .count, .wide { display: none; }
          .live span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
          .tools { gap: 6px; }
          .tools button, .tools .button { padding: 0 9px; }
          .scroll { scroll-padding-top: 0; }
          .filters { padding: 8px 12px 10px; flex-wrap: wrap; }
          .filters input[type="search"] { flex: 1 1 60%; }
          .filters select { flex: 0 1 auto; max-width: 36%; }
          .chips { flex: 1 1 100%; }
          .chips label { flex: 1 1 auto; text-align: center; }
          .chips span { padding: 0 4px; }
          .columns { display: none; }
          .row, .chosen .row {
            grid-template-columns: 46px minmax(0, 1fr) auto auto; column-gap: 8px; padding: 4px 12px 6px; row-gap: 0;
            grid-template-areas: "status target size time" "method fall fall fall";
          }
          .row .status { grid-area: status; }
          .row .method { grid-area: method; }
          .row .target { grid-area: target; }
          .row .size { grid-area: size; }
          .row .time { grid-area: time; }
          .row .fall { grid-area: fall; }
          .legend { padding: 7px 12px; gap: 3px 12px; }
        }
        """#
}
