import { startPictureHost } from "../support/picture-host.ts";
import { expect, test } from "../support/journey.ts";

test("a diagram that asks for a picture from outside stays code with its reason, and no request leaves", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const host = await startPictureHost();
  const { page } = chat;
  const refused: string[] = [];
  page.on("console", (line) => {
    if (line.text().includes("Content Security Policy")) refused.push(line.text());
  });
  const sources = [
    `flowchart TD\n  A@{ img: "${host.address}", label: "x" } --> B`,
    `flowchart TD\n  A@{ "i\\x6dg": "${host.address}" } --> B`,
    `flowchart TD\n  A["<img src='${host.address}'>"] --> B`,
    `flowchart TD\n  A --> B\n  style A filter:url("${host.address}#f")`,
    `flowchart TD\n  A[Linked] --> B\n  click A href "${host.address}" _blank`,
  ];
  const answer = sources.map((source) => `\`\`\`mermaid\n${source}\n\`\`\``).join("\n\n");
  upstream.script({ match: { user: question }, answer: `${answer}\n\nDone.` });
  await chat.send(question);
  await chat.finished();
  await expect(chat.lastReply.getByText(chat.text("markdown.diagramOutside"))).toHaveCount(4);
  // The last one only has a link: it is drawn, and nothing is fetched for it.
  await expect(chat.lastReply.getByRole("img", { name: chat.text("markdown.diagram") })).toHaveCount(1);
  await expect(chat.lastReply.getByText("img:")).toBeVisible();
  expect(host.requests).toEqual([]);
  expect(refused).toEqual([]);
  await host.close();
});

test("the drawing page itself loads no picture from outside", async ({ openAs, account }) => {
  const host = await startPictureHost();
  const page = await openAs(account);
  const thrown = await page.evaluate(async (address) => {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts");
    frame.src = "/static/diagram.html";
    const answered = new Promise<unknown>((resolve) => {
      window.addEventListener("message", (event) => {
        if (event.source !== frame.contentWindow) return;
        const source = `flowchart TD\n  A@{ img: "${address}" } --> B`;
        if (event.data === "ready") frame.contentWindow?.postMessage({ id: 1, source, dark: false }, "*");
        else resolve(event.data);
      });
    });
    document.body.append(frame);
    const answer = await answered;
    frame.remove();
    return answer;
  }, host.address);
  expect(thrown).toEqual({ id: 1, svg: null });
  expect(host.requests).toEqual([]);
  await host.close();
});
