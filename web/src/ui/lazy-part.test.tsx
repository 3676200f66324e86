import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { lazyPart, WhenHere } from "./lazy-part.tsx";

const Words = () => <p>Words</p>;
const standIn = <p>Wait</p>;

test("a part whose code is here is drawn at once, one that is not is stood in for", async () => {
  const loaded = lazyPart(async () => Words);
  const draw = () =>
    renderToStaticMarkup(
      <WhenHere part={loaded} standIn={standIn}>
        <loaded.Part />
      </WhenHere>,
    );
  expect(loaded.isHere()).toBe(false);
  expect(draw()).toContain("Wait");
  expect(await loaded.preload()).toBe(true);
  expect(loaded.isHere()).toBe(true);
  expect(draw()).toBe("<p>Words</p>");
});
