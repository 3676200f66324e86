import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { SidePanel } from "./side-panel.tsx";

const draw = (modal: boolean): string =>
  renderToStaticMarkup(
    <SidePanel title="Results" closing={false} modal={modal} closeLabel="Close" onClose={() => {}}>
      <p>what it shows</p>
    </SidePanel>,
  );
const panelOf = (drawn: string): Record<string, string | undefined> =>
  /<(?<tag>\w+)(?=[^>]*role="(?<role>[^"]*)")(?=[^>]*aria-labelledby="(?<name>[^"]*)")/.exec(drawn)?.groups ??
  {};

test("the panel is a named part beside the chat and a named dialog over it, in one element that may be both", () => {
  const beside = draw(false);
  const over = draw(true);
  expect(panelOf(beside)).toMatchObject({ tag: "section", role: "complementary" });
  expect(panelOf(over)).toMatchObject({ tag: "section", role: "dialog" });
  expect(beside).not.toContain("aria-modal");
  expect(over).toContain('aria-modal="true"');
  for (const drawn of [beside, over])
    expect(drawn).toMatch(new RegExp(`<h2 id="${panelOf(drawn)["name"]}"[^>]*>Results</h2>`));
});
