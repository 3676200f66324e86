import { createServer, type AddressInfo, type Server } from "node:net";
import { createServer as createHttpServer } from "node:http";
import { previewFile } from "@plumb/protocol/wire/files";
import { expect, test } from "../support/journey.ts";
import { LoadClient } from "../support/load-client.ts";
import { filesNow, uploadSlowly } from "../support/upload-file.ts";

/** Notices every connection, also one on which nothing is said. */
async function startTrap(): Promise<{ server: Server; port: number; reached: () => number }> {
  let reached = 0;
  const server = createServer((socket) => {
    reached += 1;
    socket.on("error", () => {});
    socket.once("data", () => socket.destroy());
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
  const linkTo = async (name: string, text: string): Promise<string> => {
    const upload = { name, content: Buffer.from(text), pieces: 1, paceMs: 0 };
    const file = await uploadSlowly(person, upload);
    await expect.poll(async () => (await filesNow(person, [file.id]))[0]?.status).toBe("SUCCESS");
    const { url } = (await person.must(`${previewFile.path}?file_id=${file.id}`)) as { url: string };
    return url;
  };
  const ran = () => page.evaluate(() => document.documentElement.getAttribute("data-ran"));
  try {
    const picture = await linkTo("hostile.svg", svg);
    await page.goto(stack.origin);
    const saved = page.waitForEvent("download");
    await page.evaluate((url) => window.open(url, "_self"), picture);
    expect((await saved).suggestedFilename()).toBe("hostile.svg");
    // As a picture, which is all that a preview makes of it, it is shown.
    const width = page.evaluate(async (url) => {
      const image = new Image();
      image.src = url;
      document.body.append(image);
      await image.decode();
      return image.naturalWidth;
    }, picture);
    expect(await width).toBe(200);
    expect([await ran(), trap.reached()]).toEqual([null, 0]);

    await page.goto(
      await linkTo("hostile.html", `<p>Words of a page</p>${svg}<script>document.title = "ran"</script>`),
    );
    await expect(page.locator("body")).toContainText("Words of a page");
    expect(await page.evaluate(() => [document.contentType, document.scripts.length])).toEqual([
      "text/plain",
      0,
    ]);
    expect([await ran(), trap.reached()]).toEqual([null, 0]);

    // Served as it is by somebody else, it does all of it.
    const careless = createHttpServer((_request, response) => {
      response.writeHead(200, { "content-type": "image/svg+xml" }).end(svg);
    });
    await new Promise<void>((resolve) => careless.listen(0, "127.0.0.1", resolve));
    await page.goto(`http://127.0.0.1:${(careless.address() as AddressInfo).port}/`);
    expect(await ran()).toBe("1");
    await expect.poll(() => trap.reached()).toBeGreaterThan(2);
    careless.closeAllConnections();
    careless.close();
  } finally {
    person.close();
    trap.server.close();
    await page.close();
  }
});
