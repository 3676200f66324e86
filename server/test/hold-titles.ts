// A model that is slow with its titles.
import type { TestApp } from "./create-test-app.ts";

/** Title requests get no answer until the returned function is called. */
export function holdTitles(app: Pick<TestApp, "model">): () => void {
  const generate = app.model.generate.bind(app.model);
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  app.model.generate = async function* (request, signal) {
    if (request.purpose === "title") {
      const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
      await Promise.race([released, aborted]);
    }
    yield* generate(request, signal);
  };
  return release;
}
