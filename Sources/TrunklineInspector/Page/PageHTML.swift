extension PageText {
    static let html = #"""
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Trunkline Inspector</title>
        <link rel="icon" href="icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="style.css">
        <script src="script.js" defer></script>
        </head>
        <body>
        <header class="bar">
          <h1><img src="icon.svg" alt="" width="20" height="20">Inspector</h1>
          <p class="live" data-state="connecting" role="status"><span id="live">Connecting</span></p>
          <p class="count" id="count" aria-live="polite"></p>
          <div class="tools">
            <button type="button" id="pause" aria-pressed="false"
              title="Stops updating the list; recording goes on">Pause</button>
            <button type="button" id="clear" title="Forgets the exchanges that have ended">Clear</button>
            <a class="button" id="har" href="har" download="trunkline.har"
              title="Saves all exchanges as a HAR file"><span class="wide">Export&nbsp;</span>HAR</a>
          </div>
        </header>

        <form class="filters" id="filters" role="search" aria-label="Filter the exchanges">
          <input type="search" id="text" placeholder="Filter by URL, status or type" autocomplete="off"
            spellcheck="false" aria-label="Filter by text" aria-keyshortcuts="/">
          <select id="method" aria-label="Filter by method"><option value="">All methods</option></select>
          <div class="chips" id="chips" role="radiogroup" aria-label="Filter by status">
            <label><input type="radio" name="status" value="all" checked><span>All</span></label>
            <label><input type="radio" name="status" value="2"><span>2xx</span></label>
            <label><input type="radio" name="status" value="3"><span>3xx</span></label>
            <label><input type="radio" name="status" value="4"><span>4xx</span></label>
            <label><input type="radio" name="status" value="5"><span>5xx</span></label>
            <label><input type="radio" name="status" value="failed"><span>Failed</span></label>
            <label><input type="radio" name="status" value="active"><span>Active</span></label>
          </div>
        </form>

        <main class="main" id="main">
          <section class="pane" aria-label="Exchanges">
            <div class="scroll" id="scroll">
              <div class="columns" aria-hidden="true">
                <span>Status</span><span>Method</span><span>Request</span><span class="end">Size</span>
                <span class="end">Time</span><span class="fall"><span>Waterfall</span><span id="axis"></span></span>
              </div>
              <ul class="list" id="list" role="listbox" tabindex="0" aria-label="Exchanges, oldest first"></ul>
            </div>
            <div class="empty" id="empty">
              <p id="emptyText">No requests yet.</p>
              <p class="hint" id="emptyHint">Requests of the sessions that have this inspector appear here.</p>
              <button type="button" id="reset" hidden>Reset the filter</button>
            </div>
            <ul class="legend" aria-label="Colours of the waterfall">
              <li><i class="ph blocked"></i>Waiting</li>
              <li><i class="ph dns"></i>DNS</li>
              <li><i class="ph connect"></i>Connect</li>
              <li><i class="ph tls"></i>TLS</li>
              <li><i class="ph wait"></i>Server</li>
              <li><i class="ph receive"></i>Receive</li>
              <li><i class="ph local"></i>Cache</li>
            </ul>
          </section>

          <section class="details" id="details" aria-label="Details" hidden>
            <header class="head">
              <div class="title">
                <span class="status" id="dStatus"></span>
                <span class="method" id="dMethod"></span>
                <button type="button" class="plain" id="close" aria-label="Close the details"
                  title="Close (Esc)">Close</button>
              </div>
              <p class="url" id="dURL"></p>
            </header>
            <div class="tabs" role="tablist" aria-label="Parts">
              <button type="button" role="tab" id="tab-overview" aria-controls="panel">Overview</button>
              <button type="button" role="tab" id="tab-request" aria-controls="panel">Request</button>
              <button type="button" role="tab" id="tab-response" aria-controls="panel">Response</button>
              <button type="button" role="tab" id="tab-curl" aria-controls="panel">cURL</button>
            </div>
            <div class="attempts" id="attempts" role="group" aria-label="Attempt" hidden></div>
            <div class="panel" id="panel" role="tabpanel" tabindex="0"></div>
          </section>
        </main>
        <p class="toast" id="toast" role="status" hidden></p>
        <noscript><p class="empty">The inspector's page needs JavaScript.</p></noscript>
        </body>
        </html>
        """#

    static let icon = #"""
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">
        <rect width="20" height="20" rx="5" fill="#1f6feb"/>
        <rect x="4" y="5" width="6" height="2.4" rx="1.2" fill="#fff"/>
        <rect x="7" y="8.8" width="9" height="2.4" rx="1.2" fill="#fff" opacity=".8"/>
        <rect x="10" y="12.6" width="5" height="2.4" rx="1.2" fill="#fff" opacity=".6"/>
        </svg>
        """#
}
