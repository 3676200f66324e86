// Run by `npm start` before it installs the parts for a GGUF file: prints "wanted" when the settings choose such a file
// and it is there, and nothing when they choose another model. It loads no package, because none may be installed yet.
import { requireGgufFile } from "./adapters/model-provider/gguf-file.ts";
import { readConfig } from "./config.ts";
import { readDotenvFile } from "./platform/dotenv-file.ts";
import { StartError } from "./platform/start-error.ts";

try {
  const { model } = readConfig(process.env, { dotenvText: readDotenvFile() });
  if (model.baseUrl === null && model.path !== null) {
    await requireGgufFile(model.path);
    process.stdout.write("wanted\n");
  }
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
