import { createServer, type AddressInfo, type Server } from "node:net";
import { createServer as createHttpServer } from "node:http";
import { previewFile } from "@plumb/protocol/wire/files";
import { expect, test } from "../support/journey.ts";
import { LoadClient } from "../support/load-client.ts";
import { filesNow, uploadSlowly } from "../support/upload-file.ts";

/** Notices every request, by its first line. For a frame that it may not load, Chromium connects and says nothing. */
async function startTrap(): Promise<{ server: Server; port: number; reached: () => string[] }> {
  const reached: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (data) => {
      reached.push(data.toString("latin1").split("\r\n", 1)[0] ?? "");
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, port: (server.address() as AddressInfo).port, reached: () => reached };
}

/** Everything that a picture could try: scripts of each kind, and what it could load. */
function hostileSvg(port: number): string {
  const trap = `http://127.0.0.1:${port}`;
  const run = `document.documentElement.setAttribute('data-ran','1');fetch('${trap}/x').catch(()=>{})`;
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="200" height="100" onload="${run}">
  <text x="10" y="40">A picture with words</text>
  <script>${run}</script>
  <script href="${trap}/s.js"/>
  <image href="${trap}/p.png" width="10" height="10"/>
  <style>@import url(${trap}/c.css);</style>
  <foreignObject width="50" height="50"><body xmlns="http://www.w3.org/1999/xhtml"><img src="${trap}/i.png" onerror="${run}"/><iframe src="${trap}/f"></iframe><form action="${trap}/g"><input autofocus="" onfocus="${run}"/></form></body></foreignObject>
  <a xlink:href="javascript:${run}"><text x="10" y="80">a link</text></a>
</svg>`;
}

test("a picture or a page opened by its link runs nothing and asks nobody for anything", async ({
  browser,
  stack,
}) => {
  // What the browser refuses stands in the console, which the page of a journey may not write to.
  const page = await browser.newPage();
  const trap = await startTrap();
  const svg = hostileSvg(trap.port);
  const person = await LoadClient.signUp(
    () => stack.origin,
    (email) => stack.codeFor(email),
  );
  const open = async (name: string, text: string): Promise<void> => {
    const upload = { name, content: Buffer.from(text), pieces: 1, paceMs: 0 };
    const file = await uploadSlowly(person, upload);
    await expect.poll(async () => (await filesNow(person, [file.id]))[0]?.status).toBe("SUCCESS");
    const { url } = (await person.must(`${previewFile.path}?file_id=${file.id}`)) as { url: string };
    await page.goto(url, { waitUntil: "load" });
  };
  const ran = () => page.evaluate(() => document.documentElement.getAttribute("data-ran"));
  try {
    await open("hostile.svg", svg);
    await expect(page.getByText("A picture with words")).toBeVisible();
    expect([await ran(), trap.reached()]).toEqual([null, []]);

    await open("hostile.html", `<p>Words of a page</p>${svg}<script>document.title = "ran"</script>`);
    await expect(page.locator("body")).toContainText("Words of a page");
    expect(await page.evaluate(() => [document.contentType, document.scripts.length])).toEqual([
      "text/plain",
      0,
    ]);
    expect([await ran(), trap.reached()]).toEqual([null, []]);

    // Served as it is by somebody else, it does all of it.
    const careless = createHttpServer((_request, response) => {
      response.writeHead(200, { "content-type": "image/svg+xml" }).end(svg);
    });
    await new Promise<void>((resolve) => careless.listen(0, "127.0.0.1", resolve));
    await page.goto(`http://127.0.0.1:${(careless.address() as AddressInfo).port}/`);
    expect(await ran()).toBe("1");
    await expect.poll(() => trap.reached().length).toBeGreaterThan(2);
    careless.closeAllConnections();
    careless.close();
  } finally {
    person.close();
    trap.server.close();
    await page.close();
  }
});
