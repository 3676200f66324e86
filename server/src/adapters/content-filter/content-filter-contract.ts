// What every content filter promises, as tests.
import { describe, expect, test } from "vitest";
import type { ContentFilter, Verdict } from "../../ports/content-filter.ts";

export interface FilterUnderTest {
  filter: ContentFilter;
  /** A text it refuses, of several words. */
  refused: string;
  close(): Promise<void>;
}

/** What became of a text given in pieces. */
export async function screened(
  filter: ContentFilter,
  pieces: readonly string[],
): Promise<{ verdict: Verdict; heard: Verdict[] }> {
  const heard: Verdict[] = [];
  const screening = filter.open((verdict) => heard.push(verdict));
  for (const piece of pieces) {
    screening.push(piece);
    await screening.pace();
  }
  return { verdict: await screening.end(), heard };
}

export function contentFilterContract(name: string, open: () => Promise<FilterUnderTest>): void {
  describe(`the promises of a content filter: ${name}`, () => {
    const padding = "Nothing to see here. ".repeat(60);
    const cases: [string, (refused: string) => string[]][] = [
      ["at once", (refused) => [refused]],
      ["letter by letter", (refused) => Array.from(refused)],
      ["at the end of a long text", (refused) => [padding.repeat(20), refused]],
      ["at the beginning of a long text", (refused) => [refused, padding.repeat(20)]],
      [
        "across slices of a long text",
        (refused) => [padding + refused.slice(0, 5), refused.slice(5) + padding],
      ],
    ];
    test.each(cases)("refuses a text that comes %s, and says so once", async (_how, pieces) => {
      const { filter, refused, close } = await open();
      expect(await screened(filter, pieces(refused))).toEqual({ verdict: "refused", heard: ["refused"] });
      await close();
    });

    test("allows what is not refused, and nothing", async () => {
      const { filter, close } = await open();
      expect(await screened(filter, [padding, "", padding])).toEqual({ verdict: "allowed", heard: [] });
      expect(await screened(filter, [])).toEqual({ verdict: "allowed", heard: [] });
      await close();
    });

    test("says nothing after an abort", async () => {
      const { filter, refused, close } = await open();
      const heard: Verdict[] = [];
      const screening = filter.open((verdict) => heard.push(verdict));
      screening.push(padding);
      screening.abort();
      screening.push(refused);
      await screening.end();
      expect(heard).toEqual([]);
      await close();
    });
  });
}
