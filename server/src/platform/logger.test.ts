import { expect, test } from "vitest";
import { createLogger } from "./logger.ts";

test("a line of the log is one line of JSON that a terminal does not act on", () => {
  const lines: string[] = [];
  const log = createLogger("info", { write: (line) => void lines.push(line) });
  log.info({ model: "a\u001b[2J\u009b2J\u202e\nb" }, "said \u009b1m");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^\{[ -~]+\}\n$/u);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    model: "a\u001b[2J\u009b2J\u202e\nb",
    msg: "said \u009b1m",
  });
});
