// Runs before the first paint, so that a chosen theme and language never flash in. A file of its own, since the
// content security policy allows no inline script. The record is that of engine/site/preferences.ts.
(function () {
  var chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem("plumb.preferences")) || {};
  } catch {
    // No storage, or not ours: the defaults hold.
  }
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
})();
