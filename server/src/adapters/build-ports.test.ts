import { expect, test } from "vitest";
import type { Config } from "../config.ts";
import { createLogger } from "../platform/logger.ts";
import { buildPorts } from "./build-ports.ts";

const log = createLogger("silent");

// Only what the function reads; the rest of the settings is no matter here.
const config = (model: Partial<Config["model"]>): Config =>
  ({
    dataDir: "/nowhere",
    model: {
      baseUrl: null,
      apiKey: null,
      name: null,
      thinkingName: null,
      coderName: null,
      titleName: null,
      thinkingStyle: "auto",
      contextTokens: 1000,
      stallMs: 1000,
      continuation: "auto",
      path: null,
      autodetect: false,
      offered: [],
      ...model,
    },
  }) as Config;

test("the endpoint comes before the file, the file before the demo", async () => {
  const baseUrl = "http://127.0.0.1:1/v1";
  const endpoint = await buildPorts(config({ baseUrl, path: "/no/such.gguf", name: "m" }), log);
  expect(endpoint.model.info()).toMatchObject({ kind: "endpoint", name: "m" });
  await endpoint.model.close();
  await expect(buildPorts(config({ path: "/no/such.gguf" }), log)).rejects.toMatchObject({
    name: "StartError",
  });
  const demo = await buildPorts(config({}), log);
  expect(demo.model.info().kind).toBe("demo");
  expect(demo.mailer.kind).toBe("outbox");
  await demo.model.close();
});
