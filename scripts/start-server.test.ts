import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { hasOcr, installOcr } from "./install-ocr.mjs";
import { ensureEmbeddedModel, prepareOcr } from "./start-server.mjs";

let folder: string;
let installs: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plumb-start-"));
  installs = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As `npm start` does it, with nothing but these lines in .env. */
async function ensure(...lines: string[]): Promise<void> {
  writeFileSync(join(folder, ".env"), lines.join("\n"));
  const env = { PATH: process.env["PATH"] };
  const runtime = { node: process.execPath, env, npm: async () => ["npm"] };
  await ensureEmbeddedModel(runtime, {
    cwd: folder,
    install: async () => {
      installs += 1;
    },
  });
}

describe("the parts that run a GGUF file", () => {
  it("are not installed for a file that cannot be one", async () => {
    writeFileSync(join(folder, "letter.gguf"), "Dear reader");
    writeFileSync(join(folder, "empty.gguf"), "");
    mkdirSync(join(folder, "models"));
    const cases = [
      ["gone.gguf", "MODEL_PATH (gone.gguf) cannot be read: there is no such file."],
      ["letter.gguf/x", "MODEL_PATH (letter.gguf/x) cannot be read: there is no such file."],
      [
        "~/x.gguf",
        "MODEL_PATH (~/x.gguf) cannot be read: there is no such file (~ stands for no folder here).",
      ],
      ["models", "MODEL_PATH (models) cannot be read: it is a folder."],
      ["letter.gguf", "MODEL_PATH (letter.gguf) is no GGUF file. Models in this format end in .gguf."],
      ["empty.gguf", "MODEL_PATH (empty.gguf) is no GGUF file. Models in this format end in .gguf."],
    ] as const;
    for (const [path, message] of cases) {
      await expect(ensure(`MODEL_PATH=${path}`)).rejects.toMatchObject({
        name: "Failure",
        message,
        status: 1,
      });
    }
    expect(installs).toBe(0);
  });

  it("are installed for one that is, and not when an endpoint comes before it", async () => {
    writeFileSync(join(folder, "model.gguf"), "GGUF and more");
    await ensure("MODEL_PATH=model.gguf");
    expect(installs).toBe(1);
    await ensure("MODEL_PATH=model.gguf", "MODEL_BASE_URL=http://127.0.0.1:1/v1");
    await ensure("MODEL_PATH=");
    await ensure("#MODEL_PATH=gone.gguf");
    expect(installs).toBe(1);
  });
});

describe("what reads text in pictures", () => {
  const state = () =>
    JSON.parse(readFileSync(join(folder, ".extras", "ocr", "state.json"), "utf8")) as unknown;
  const prepare = async (env: Record<string, string>, fails = false) =>
    prepareOcr(env, {
      cwd: folder,
      install: () =>
        installOcr({
          root: folder,
          say: () => {},
          install: async () => {
            installs += 1;
            if (fails) throw new Error("no network");
          },
        }),
    });

  it("is told to be on its way before the server starts, and installed behind it, once", async () => {
    const install = await prepare({});
    expect(state()).toEqual({ state: "installing", pid: process.pid });
    expect(installs).toBe(0);
    await install();
    expect(await hasOcr(folder)).toBe(true);
    await (
      await prepare({})
    )();
    expect(installs).toBe(1);
  });

  it("is kept away by OCR=off, in the environment or in .env", async () => {
    await (
      await prepare({ OCR: "off" })
    )();
    writeFileSync(join(folder, ".env"), "OCR=off # no pictures");
    await (
      await prepare({})
    )();
    expect(installs).toBe(0);
    expect(existsSync(join(folder, ".extras"))).toBe(false);
  });

  it("keeps no server from starting where it cannot be put, as in a folder that is read only", async () => {
    writeFileSync(join(folder, ".extras"), "a file in the place of the folder");
    const said: string[] = [];
    const write = vi.spyOn(process.stdout, "write").mockImplementation((line) => said.push(String(line)) > 0);
    try {
      await (
        await prepare({})
      )();
    } finally {
      write.mockRestore();
    }
    expect(said.join("")).toMatch(/^What reads text in pictures cannot be put into .*ENOTDIR/u);
    expect(installs).toBe(0);
  });

  it("is tried again at the next start when it was not to be had", async () => {
    await (
      await prepare({}, true)
    )();
    expect(state()).toEqual({ state: "failed", why: "no network" });
    await (
      await prepare({})
    )();
    expect(await hasOcr(folder)).toBe(true);
  });
});
