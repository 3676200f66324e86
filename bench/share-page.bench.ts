// What the page of a share of 200 turns costs: requests a second of its page and of its content, and the first paint of it
// in a fresh Chromium that is not signed in. See README.md.
import type { Browser, Page } from "@playwright/test";
import { makeLongSession } from "./support/long-session.ts";
import { describeMachine } from "./support/machine.ts";
import { launchChromium } from "./support/page-bench.ts";
import { percentile } from "./support/percentile.ts";
import { startProductServer } from "./support/product-server.ts";

const messages = Number(process.env["PLUMB_MESSAGES"] ?? 400);
const rounds = Number(process.env["PLUMB_ROUNDS"] ?? 7);
const seconds = Number(process.env["PLUMB_SECONDS"] ?? 5);
const readers = 8;
const paintGoalMs = 300;

/** Requests a second of `readers` that ask for an address again and again, its body read to the end. */
async function requestsASecond(address: string): Promise<{ rate: number; p99: number; bytes: number }> {
  const times: number[] = [];
  let bytes = 0;
  const begin = performance.now();
  const end = begin + seconds * 1000;
  async function ask(): Promise<void> {
    while (performance.now() < end) {
      const asked = performance.now();
      const answer = await fetch(address);
      const body = await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${address} answered ${answer.status}.`);
      bytes = body.byteLength;
      times.push(performance.now() - asked);
    }
  }
  await Promise.all(Array.from({ length: readers }, ask));
  const took = (performance.now() - begin) / 1000;
  times.sort((a, b) => a - b);
  return { rate: times.length / took, p99: percentile(times, 0.99), bytes };
}

interface Paints {
  /** The first message, as the server wrote it into the page or as the script has drawn it. */
  first: number;
  /** The first answer, drawn by the script, with nothing of the server's over it. */
  answer: number;
}

/** Milliseconds of the page's clock from the navigation to the frame that shows each. */
function paints(page: Page): Promise<Paints> {
  return page.evaluate(async () => {
    /** An element stands on the screen when it is what is found there. */
    const shown = (selector: string) =>
      new Promise<number>((resolve) => {
        const look = () => {
          const element = document.querySelector(selector);
          const box = element?.getBoundingClientRect();
          const found = box && document.elementFromPoint(box.left + box.width / 2, box.top + 10);
          if (found && element?.contains(found))
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
          else requestAnimationFrame(look);
        };
        look();
      });
    const [first, answer] = await Promise.all([
      Promise.race([shown('#opening [class^="message"]'), shown('[data-message-id="1"]')]),
      shown('[data-message-id="2"] p'),
    ]);
    return { first, answer };
  });
}

/** The same in a browser that knows nothing. */
async function paint(browser: Browser, address: string): Promise<Paints> {
  const context = await browser.newContext({ locale: "en-US", viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(address, { waitUntil: "commit" });
  const shown = await paints(page);
  await context.close();
  return shown;
}

console.log(describeMachine());
const server = await startProductServer({});
const browser = await launchChromium();
try {
  const { person, sessionId } = await makeLongSession(server, messages);
  const ids = Array.from({ length: messages }, (_, index) => index + 1);
  const made = await person.must("/api/v0/share/create", { chat_session_id: sessionId, message_ids: ids });
  const shareId = String(made["share_id"]);
  console.log(`a share of ${messages / 2} turns, ${readers} readers at once`);
  const asked = { page: `/share/${shareId}`, content: `/api/v0/share/content?share_id=${shareId}` };
  for (const [name, path] of Object.entries(asked)) {
    const { rate, p99, bytes } = await requestsASecond(server.origin + path);
    const size = `${(bytes / 1000).toFixed(0)} KB`;
    console.log(
      `  ${name.padEnd(8)} ${rate.toFixed(0)} requests a second, p99 ${p99.toFixed(1)} ms, ${size} each`,
    );
  }
  const rows: Paints[] = [];
  for (let round = 0; round < rounds; round += 1) {
    rows.push(await paint(browser, `${server.origin}/share/${shareId}`));
  }
  const middleOf = (name: keyof Paints) => {
    const times = rows.map((row) => row[name]).toSorted((a, b) => a - b);
    return { middle: percentile(times, 0.5), all: times.map((ms) => ms.toFixed(0)).join(", ") };
  };
  const { middle, all } = middleOf("first");
  const missed = middle > paintGoalMs ? "  MISSED" : "";
  if (middle > paintGoalMs) process.exitCode = 1;
  console.log(`  first message painted ${middle.toFixed(0)} ms (goal ≤ ${paintGoalMs} ms; ${all})${missed}`);
  const drawn = middleOf("answer");
  console.log(`  first answer drawn by the script ${drawn.middle.toFixed(0)} ms (${drawn.all})`);
  person.close();
} finally {
  await browser.close();
  await server.close();
}
