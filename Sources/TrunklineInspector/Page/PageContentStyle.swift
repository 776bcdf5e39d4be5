extension PageText {
    static let contentStyle = #"""

        .row { min-height: 44px; border-bottom: 1px solid var(--line); cursor: default; }
        .row:hover { background: var(--hover); }
        .row[aria-selected="true"] { background: var(--chosen); }
        .list:focus-visible .row[aria-selected="true"] { box-shadow: inset 3px 0 0 var(--accent); }
        .error { color: var(--server); margin-left: 7px; }
        .error:first-child, .host:empty ~ .error { margin-left: 0; }
        .status { font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap; }
        .status[data-class="2"], .status[data-class="1"] { color: var(--ok); }
        .status[data-class="3"] { color: var(--moved); }
        .status[data-class="4"] { color: var(--client); }
        .status[data-class="5"], .status[data-class="failed"] { color: var(--server); }
        .status[data-class="cancelled"], .status[data-class="active"] { color: var(--gone); font-weight: 500; }
        .method { font: 12px/1.4 var(--mono); color: var(--muted); overflow: hidden; text-overflow: ellipsis; }
        .target { min-width: 0; padding: 5px 0; }
        .path, .under { display: block; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
        .under { font-size: 12px; color: var(--muted); }
        .badge {
          margin-left: 7px; padding: 0 6px; border-radius: 9px; font-size: 11px; line-height: 16px;
          background: var(--bg); border: 1px solid var(--line); color: var(--muted); white-space: nowrap;
          display: inline-block; vertical-align: 1px;
        }
        .size, .time {
          text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; color: var(--muted);
        }
        .time { color: var(--text); }

        .track { display: block; position: relative; height: 12px; }
        .row .fall { overflow: hidden; }
        .ph { position: absolute; top: 1px; height: 10px; min-width: 2px; display: block; }
        .ph:first-child { border-radius: 3px 0 0 3px; }
        .ph:last-child { border-radius: 0 3px 3px 0; }
        .ph:only-child, .legend .ph { border-radius: 3px; }
        .ph.blocked { background: var(--blocked); }
        .ph.dns { background: var(--dns); }
        .ph.connect { background: var(--connect); }
        .ph.tls { background: var(--tls); }
        .ph.wait { background: var(--wait); }
        .ph.receive { background: var(--receive); }
        .ph.local {
          background: repeating-linear-gradient(-45deg, var(--local) 0 3px, transparent 3px 5px);
          box-shadow: inset 0 0 0 1px var(--local);
        }
        .ph.open { background: var(--wait); opacity: .45; animation: breathe 1.4s ease-in-out infinite; }
        @keyframes breathe { 50% { opacity: .8; } }
        @media (prefers-reduced-motion: reduce) { .ph.open { animation: none; } }

        .empty {
          position: absolute; inset: 30px 0 34px; display: flex; flex-direction: column; gap: 8px; align-items: center;
          justify-content: center; text-align: center; padding: 24px; font-size: 15px; pointer-events: none;
        }
        .empty button { pointer-events: auto; }
        .hint { color: var(--muted); font-size: 13px; }

        .head { padding: 12px 16px 10px; }
        .title { display: flex; align-items: center; gap: 10px; }
        .title .status { font-size: 15px; }
        .title .method { font-size: 13px; }
        .title .plain { margin-left: auto; margin-right: -8px; }
        .url {
          font: 12.5px/1.5 var(--mono); overflow-wrap: anywhere; max-height: 6em; overflow-y: auto; margin-top: 4px;
        }
        .tabs { display: flex; gap: 2px; padding: 0 12px; border-bottom: 1px solid var(--line); flex: none; }
        .tabs button {
          background: none; border: 0; border-bottom: 2px solid transparent; border-radius: 0; height: 34px;
          padding: 0 8px; color: var(--muted);
        }
        .tabs button:hover { color: var(--text); background: none; }
        .tabs button[aria-selected="true"] {
          color: var(--text); border-bottom-color: var(--accent); font-weight: 550;
        }
        .attempts {
          display: flex; gap: 6px; padding: 10px 16px; flex: none; overflow-x: auto;
          border-bottom: 1px solid var(--line);
        }
        .attempts button { height: 26px; padding: 0 10px; font-size: 12px; flex: none; }
        .panel { flex: 1; min-height: 0; overflow: auto; padding: 4px 16px 24px; outline-offset: -2px; }
        .panel h2 {
          font-size: 12px; font-weight: 600; color: var(--muted); margin: 16px 0 6px; display: flex;
          align-items: center; gap: 10px; min-height: 28px;
        }
        .panel h2 button:first-of-type { margin-left: auto; }
        .panel h2 button { height: 26px; padding: 0 9px; font-size: 12px; font-weight: 400; }
        .facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 5px 18px; margin-top: 12px; }
        .facts dt { color: var(--muted); }
        .facts dd { overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
        .facts dd.bad { color: var(--server); }

        .fields { width: 100%; border-collapse: collapse; table-layout: fixed; font: 12px/1.5 var(--mono); }
        .fields th, .fields td {
          text-align: left; vertical-align: top; padding: 4px 0; border-bottom: 1px solid var(--line);
          overflow-wrap: anywhere; font-weight: 400; white-space: pre-wrap;
        }
        .fields tr:last-child > * { border-bottom: 0; }
        .fields th { width: 34%; padding-right: 14px; color: var(--muted); }
        .code {
          font: 12px/1.55 var(--mono); background: var(--code); border: 1px solid var(--line); border-radius: 8px;
          padding: 10px 12px; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2;
        }
        .code.bytes { white-space: pre; overflow-wrap: normal; }
        .note { color: var(--muted); margin: 8px 0; overflow-wrap: anywhere; }
        .note.bad { color: var(--server); }

        .phases {
          display: grid; grid-template-columns: max-content minmax(40px, 1fr) max-content; gap: 5px 14px;
          align-items: center;
        }
        .phases .name { color: var(--muted); }
        .phases .value { text-align: right; font-variant-numeric: tabular-nums; }
        .phases .track { background: var(--bg); border-radius: 3px; }
        .phases .ph { border-radius: 3px; }

        .timeline li {
          display: grid; grid-template-columns: 72px 14px minmax(0, 1fr); column-gap: 8px; padding-bottom: 9px;
        }
        .timeline time { color: var(--muted); text-align: right; font-variant-numeric: tabular-nums; }
        .timeline .dot { position: relative; }
        .timeline .dot::before {
          content: ""; position: absolute; left: 3px; top: 6px; width: 8px; height: 8px; border-radius: 50%;
          background: var(--blocked); z-index: 1;
        }
        .timeline li:not(:last-child) .dot::after {
          content: ""; position: absolute; left: 6px; top: 12px; bottom: -15px; width: 2px; background: var(--line);
        }
        .timeline [data-kind="attempt"] .dot::before { background: var(--receive); }
        .timeline [data-kind="cache"] .dot::before { background: var(--tls); }
        .timeline [data-kind="redirect"] .dot::before { background: var(--dns); }
        .timeline :is([data-kind="retry"], [data-kind="refresh"]) .dot::before { background: var(--connect); }
        .timeline [data-kind="success"] .dot::before { background: var(--wait); }
        .timeline [data-kind="failure"] .dot::before { background: var(--server); }
        .timeline .what { overflow-wrap: anywhere; }

        .toast {
          position: fixed; left: 50%; bottom: 24px; transform: translateX(-50%); z-index: 3; padding: 8px 16px;
          border-radius: 8px; background: var(--text); color: var(--pane); box-shadow: var(--shadow);
        }
        """#
}
