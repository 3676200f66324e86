// Applications of a test file: opened when a test needs one, closed after it.
import { afterEach } from "vitest";
import { createTestApp, type TestApp, type TestAppOptions } from "./create-test-app.ts";

/** A function that opens one; what it is given goes before `usual`. The last that was opened is closed first. */
export function testApps(usual: TestAppOptions = {}): (options?: TestAppOptions) => Promise<TestApp> {
  const apps: TestApp[] = [];
  afterEach(async () => {
    for (const app of apps.splice(0).reverse()) await app.close();
  });
  return async (options = {}) => {
    const app = await createTestApp({ ...usual, ...options });
    apps.push(app);
    return app;
  };
}
