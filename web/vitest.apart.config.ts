import { configDefaults, defineProject } from "vitest/config";
import together, { apart } from "./vitest.config.ts";

export default defineProject({
  test: {
    ...together.test,
    name: "web apart",
    isolate: true,
    include: apart,
    exclude: configDefaults.exclude,
  },
});
