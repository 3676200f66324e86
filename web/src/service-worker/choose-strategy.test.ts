import { expect, test } from "vitest";
import { chooseStrategy, type Asked, type Strategy } from "./choose-strategy.ts";

const origin = "https://chat.example.org";
const rules = { origin, files: ["/static/first-paint.js"] };

const script = { mode: "cors", destination: "script" };
const opened = { mode: "navigate", destination: "document" };
const framed = { mode: "navigate", destination: "iframe" };
const called = { mode: "cors", destination: "" };

function strategyOf(path: string, asked: Partial<Asked>): Strategy {
  const url = path.startsWith("http") ? path : origin + path;
  return chooseStrategy({ method: "GET", url, ...called, hasRange: false, ...asked }, rules);
}

test.each<[string, string, Partial<Asked>, Strategy]>([
  ["a hashed script", "/static/assets/index-abc.js", script, "asset"],
  ["a hashed font", "/static/assets/KaTeX-abc.woff2", { mode: "cors", destination: "font" }, "asset"],
  ["a file whose name stays", "/static/first-paint.js", { mode: "no-cors", destination: "script" }, "file"],
  ["the page", "/", opened, "page"],
  ["a chat", "/a/chat/s/one.two?x=1", opened, "page"],
  ["the sign-in page", "/sign_in?redirect=%2F", opened, "page"],
  ["what another app shares", "/share-target", { ...opened, method: "POST" }, "share"],

  ["a share", "/share/abcdefghij12345678", opened, "other"],
  ["a share as plain text", "/share/abcdefghij12345678?text", opened, "other"],
  ["what is no page at all", "/apis/nowhere", opened, "other"],
  ["a file", "/robots.txt", opened, "other"],
  ["the terms", "/static/legal/terms.en.html", opened, "other"],

  ["a call", "/api/v0/users/current", {}, "pass"],
  ["a call that is opened", "/api/v0/export/download?token=x", opened, "pass"],
  ["an event stream", "/api/v0/chat/completion", { method: "POST" }, "pass"],
  ["an upload", "/api/v0/file/upload_file", { method: "POST" }, "pass"],
  ["a raw file", "/api/v0/file/raw?token=x", opened, "pass"],
  ["a range of an asset", "/static/assets/film-abc.js", { ...script, hasRange: true }, "pass"],
  ["whether an asset is there", "/static/assets/index-abc.js", { method: "HEAD" }, "pass"],
  ["the page, by POST", "/", { ...opened, method: "POST" }, "pass"],
  ["a page a script asks for", "/", called, "pass"],
  ["a share a script asks for", "/share/abcdefghij12345678", called, "pass"],
  ["a share in a frame", "/share/abcdefghij12345678", framed, "pass"],
  ["a share, by POST", "/share/abcdefghij12345678", { ...opened, method: "POST" }, "pass"],
  ["whether the server is ready", "/readyz", opened, "pass"],
  ["a sign-in elsewhere that comes back", "/oauth/wechat/callback?code=x", opened, "pass"],
  ["a reply's HTML that runs", "/static/run.html", framed, "pass"],
  ["a diagram's page", "/static/diagram.html", framed, "pass"],
  ["the page in a frame", "/", framed, "pass"],
  ["the library for diagrams", "/static/mermaid.js", script, "pass"],
  ["the version", "/version.txt", {}, "pass"],
  ["the worker", "/sw.js", {}, "pass"],
  ["another origin's asset", "https://cdn.example.org/static/assets/index-abc.js", script, "pass"],
  ["another origin's page", "https://example.org/", opened, "pass"],
  ["what is shared, but not opened", "/share-target", { method: "POST" }, "pass"],
  ["the place for it", "/share-target", opened, "pass"],
])("%s: %s", (_what, path, asked, strategy) => {
  expect(strategyOf(path, asked)).toBe(strategy);
});
