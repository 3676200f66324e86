// Runs before the first paint, so that a chosen theme and language never flash in, and what the address will need is on its
// way while the page's own script still loads. A file of its own, since the content security policy allows no inline script but
// in the page of a share.
// What it reads of the storage is written by engine/site/preferences.ts and announcement.ts, accounts/auth-store.ts and
// sessions/history-cache.ts; what it asks the server for is taken by app/head-start.ts.
(function () {
  function stored(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      // No storage: the defaults hold.
      return null;
    }
  }
  function storedRecord(key) {
    try {
      return JSON.parse(stored(key)) || {};
    } catch {
      // Not ours: the defaults hold.
      return {};
    }
  }

  var chosen = storedRecord("plumb.preferences");
  var root = document.documentElement;
  if (chosen.theme === "light" || chosen.theme === "dark") root.dataset.theme = chosen.theme;
  var languages = navigator.languages || [navigator.language || "en"];
  var first = languages.find(function (language) {
    return /^(zh|en)\b/i.test(language);
  });
  var locale =
    chosen.locale === "zh_CN" || chosen.locale === "en_US"
      ? chosen.locale.replace("_", "-")
      : first || "en-US";
  root.lang = /^zh/i.test(locale) ? "zh-CN" : "en-US";

  // The page itself cannot begin: its script does not come, or gives up before there is anything on the screen.
  function fatal() {
    var place = document.getElementById("page-mark");
    if (!place || document.querySelector("#root > :not([data-splash])")) return;
    var zh = root.lang === "zh-CN";
    place.id = "fatal";
    place.removeAttribute("aria-hidden");
    place.setAttribute("role", "alert");
    place.textContent = zh ? "页面无法加载。" : "The page could not be loaded.";
    var again = document.createElement("button");
    again.textContent = zh ? "重新加载" : "Reload";
    again.onclick = function () {
      location.reload();
    };
    place.append(again);
  }
  window.addEventListener("unhandledrejection", fatal);
  window.addEventListener(
    "error",
    function (event) {
      if (event.error || event.target.type === "module") fatal();
    },
    true,
  );

  var token = stored("plumb.token");
  // What the server writes into a share's page for all (screens/share-opening.tsx) is not how these will see it.
  var noOpening = token !== null || /cachedBannerOptions":\{/.test(stored("plumb.banner") || "");
  if (noOpening) root.dataset.noOpening = "";

  // In such a page this script stands itself, and what the page asks for in others waits until its words are painted
  // (dev/share-opening.ts).
  document.addEventListener("DOMContentLoaded", function () {
    var template = document.getElementById("after-opening");
    if (!template) return;
    function begin() {
      if (!template) return;
      var later = template.content;
      template = null;
      var script = later.querySelector("script");
      var sheets = later.querySelectorAll("[rel=stylesheet]");
      var awaited = sheets.length;
      // Or it would draw before it has its looks.
      sheets.forEach(function (sheet) {
        sheet.onload = sheet.onerror = function () {
          if (--awaited === 0) document.head.append(script);
        };
      });
      script.remove();
      document.head.append(later);
    }
    if (noOpening || document.hidden) return begin();
    requestAnimationFrame(function () {
      setTimeout(begin);
    });
    // A page that is hidden meanwhile paints nothing.
    setTimeout(begin, 500);
  });

  var path = location.pathname;
  // The token of the link in a notice leaves the address bar before any other script could read it there, and waits for its screen
  // (hooks/link-token.ts).
  if (path === "/undo_binding" && location.hash) {
    window.plumbLinkToken = location.hash.slice(1);
    history.replaceState(null, "", path);
  }

  // The build writes what the parts consist of into the page (dev/head-start.ts); without a build there is nothing to load.
  var given = document.currentScript.dataset;
  if (given.parts === undefined) return;
  var parts = JSON.parse(given.parts);
  var calls = (window.plumbHeadStart = []);
  var loaded = {};
  // What is on its way at once shares a slow line, and would all come late. So what every page begins with has it alone, and
  // each part is asked for while the largest file before it is still under way: when a small one beside that is here.
  var waiting = [];
  function askForNext() {
    var links = waiting.shift();
    if (links === undefined) return;
    links[0].onload = links[0].onerror = askForNext;
    document.head.append.apply(document.head, links);
  }
  document.addEventListener(
    "load",
    function (event) {
      if (/\/shared-[^/]*\.js$/.test(event.target.href)) askForNext();
    },
    true,
  );

  function linkTo(name) {
    loaded[name] = true;
    var link = document.createElement("link");
    link.rel = /\.css$/.test(name) ? "preload" : "modulepreload";
    if (link.rel === "preload") link.as = "style";
    link.crossOrigin = "";
    // After what the page shows first on a slow line.
    link.fetchPriority = "low";
    link.href = "/static/assets/" + name;
    return link;
  }

  function load(part) {
    var names = parts[part].split(" ").filter(function (name) {
      return !loaded[name];
    });
    var links = names.map(linkTo);
    // A page without its texts shows nothing.
    if (part === root.lang) document.head.append.apply(document.head, links);
    else if (links.length > 0) waiting.push(links);
  }

  function ask(path, query) {
    var headers = {
      "x-app-version": given.version,
      "x-client-platform": "web",
      "x-client-version": given.version,
      "x-client-locale": root.lang.replace("-", "_"),
      "x-client-timezone-offset": String(-new Date().getTimezoneOffset() * 60),
    };
    if (token !== null) headers.authorization = "Bearer " + token;
    var address = query === undefined ? path : path + "?" + new URLSearchParams(query);
    var answer = fetch(address, {
      method: "GET",
      headers: headers,
      credentials: "same-origin",
      cache: "no-store",
    });
    // Whoever takes the call is told.
    answer.catch(function () {});
    calls.push({ address: address, headers: headers, answer: answer });
  }

  var share = /^\/share\/([\w-]+)\/?$/.exec(path);
  var chat = path === "/" ? [] : /^\/a\/[^/]+(?:\/s\/([\w-]+))?$/.exec(path);
  // In the order of need: a browser has few connections to a server, and without its texts the page shows nothing.
  if (share !== null && share[1] !== "missing" && share[1] !== "invalid") {
    if (token !== null) ask("/api/v0/users/current");
    ask("/api/v0/share/content", { share_id: share[1] });
    load(root.lang);
    load(root.lang + " reader");
    load("reader");
    load(token === null ? "guest" : "chat");
    load("conversation");
  } else if (chat !== null && token !== null) {
    ask("/api/v0/users/current");
    load(root.lang);
    if (chat[1] !== undefined) {
      var kept = storedRecord("plumb.histories")[chat[1]];
      var known = Array.isArray(kept) ? { cache_version: kept[0] } : {};
      ask("/api/v0/chat/history_messages", Object.assign({ chat_session_id: chat[1] }, known));
    }
    load("chat");
    if (chat[1] !== undefined) load("conversation");
  } else if (share === null && token === null) {
    // Whoever is not signed in is led to a form; what stands in it the installation says.
    ask("/api/v0/client/settings");
    load(root.lang);
    load("forms");
    load(root.lang + " forms");
  }
})();
