import react from "@vitejs/plugin-react";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { defineConfig, type Plugin } from "vite";
import { askAgainForStyles } from "./dev/ask-again-for-styles.ts";
import { deviceScript } from "./dev/device-script.ts";
import { diagramLibrary } from "./dev/diagram-library.ts";
import { headStart } from "./dev/head-start.ts";
import { sharedFiles } from "./dev/loaded-with.ts";
import { legalTexts } from "./dev/legal-pages.ts";
import { pdfData } from "./dev/pdf-data.ts";
import { serviceWorker } from "./dev/service-worker.ts";
import { shareOpening } from "./dev/share-opening.ts";
import { shortClassName } from "./dev/short-class-name.ts";
import { smallerFirstLoad } from "./dev/smaller-first-load.ts";
import { unusedMarkdownRules } from "./dev/unused-markdown-rules.ts";
import { unusedReact } from "./dev/unused-react.ts";

const compressible = /\.(js|css|html|svg|json|txt|wasm|webmanifest)$/;
const smallestWorthwhileBytes = 1024;

/** Writes `<file>.gz` and `<file>.br` beside every compressible file of the build, so that the server only has to pick one. */
function precompress(): Plugin {
  let outDir = "";
  return {
    name: "plumb-precompress",
    apply: "build",
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir);
    },
    async closeBundle() {
      const entries = await readdir(outDir, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && compressible.test(entry.name));
      await Promise.all(files.map((entry) => compressFile(join(entry.parentPath, entry.name))));
    },
  };
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < smallestWorthwhileBytes) return;
  // The highest brotli level takes seconds on the diagram library and gains it two per cent.
  const quality = content.length > 400_000 ? 9 : 11;
  const brotli = promisify(brotliCompress)(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality },
  });
  await writeFile(`${path}.br`, await brotli);
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
}

const smallShared = [
  /\/web\/src\/(app|features|hooks|i18n|markdown|screens|ui)\/.*(?<!\.json)$/,
  /\/web\/src\/engine\/(?!guard\/)/,
  /\/protocol\/src\//,
  /\/node_modules\/(react|react-dom|scheduler|wouter|zustand|regexparam|mitt)\//,
  /preload-helper|rolldown\/runtime/,
];

/** What several of the parts for personas share: other pages do without it. */
const ofPersonas =
  /\/web\/src\/(features|engine)\/agents\/|\/protocol\/src\/(rules\/character-rules|wire\/agents)\.ts$/;

/** What sharing takes: most chats do without it. */
const ofSharing =
  /\/web\/src\/((features|engine)\/sharing\/|hooks\/use-sharing\.)|\/protocol\/src\/(rules\/share-selection-rules|wire\/sharing)\.ts$/;

/** What dialogs are made of, with the library under them: nothing of it shows before a hand opens one. */
const ofDialogs = /\/web\/src\/ui\/(dialog|delete-dialog)\./;

/** What is done with all data of a user, or with a conversation as a file. */
const ofOwnData =
  /\/web\/src\/(engine\/(exports|sessions\/delete-history)|hooks\/use-own-(data|part)|i18n\/minute-text|ui\/download-address)|\/protocol\/src\/(documents|wire\/(exports|history))/;

/** What the forms before sign-in do: chats go without it. */
const ofForms =
  /\/web\/src\/(engine\/accounts\/sign-in|features\/sign-in\/(other-way|wanted-page|use-captcha-goes))|\/protocol\/src\/(rules\/sign-in-rules|wire\/sign-in)/;

/** What forms are made of, before sign-in and in the question who somebody is: a chat begins without them. */
const ofFormParts =
  /\/web\/src\/(features\/sign-in\/(form\.module|use-google|google-mark|wechat-panel|fresh-wechat-page)|engine\/accounts\/confirm-errand|hooks\/on-page-restored|screens\/banned-screen\.module)/;

/** What only chats with files have: tiles, and what is in a file. */
const ofFiles = [
  /\/web\/src\/engine\/files\//,
  /\/web\/src\/ui\/(file-tile|split-name)/,
  /\/web\/src\/features\/composer\/(draft-files\.|drop-area|file-pa|pass-focus|watch-file)/,
  /\/web\/src\/features\/conversation\/message-files\./,
  /\/web\/src\/features\/panels\/(?!html-run|run-|watch-run|side-panels)/,
  /\/protocol\/src\/(rules\/upload-rules|wire\/files|conversation\/token-budget)/,
  /\/web\/src\/ui\/side-panel/,
];

/** Modules so small that a file for each combination of their users would hold next to nothing. */
function isSharedBySmallParts(id: string): boolean {
  return (
    !ofPersonas.test(id) &&
    !ofForms.test(id) &&
    !ofFormParts.test(id) &&
    !ofSharing.test(id) &&
    !ofDialogs.test(id) &&
    !ofOwnData.test(id) &&
    !isOfFiles(id) &&
    smallShared.some((pattern) => pattern.test(id))
  );
}

function isOfFiles(id: string): boolean {
  return ofFiles.some((pattern) => pattern.test(id));
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    diagramLibrary(),
    pdfData(),
    deviceScript(),
    legalTexts(),
    unusedMarkdownRules(),
    unusedReact(),
    askAgainForStyles(),
    smallerFirstLoad(),
    headStart(),
    shareOpening(),
    serviceWorker(),
    precompress(),
  ],
  resolve: {
    alias: [
      {
        find: /^entities$/,
        replacement: join(import.meta.dirname, "src", "markdown", "browser-entities.ts"),
      },
      {
        find: /^linkify-it$/,
        replacement: join(import.meta.dirname, "src", "markdown", "no-linkify.ts"),
      },
      {
        find: /^uc\.micro$/,
        replacement: join(import.meta.dirname, "src", "markdown", "browser-categories.ts"),
      },
      {
        find: /^mdurl$/,
        replacement: join(import.meta.dirname, "src", "markdown", "browser-addresses.ts"),
      },
      {
        find: /^punycode\.js$/,
        replacement: join(import.meta.dirname, "src", "markdown", "browser-host-names.ts"),
      },
      {
        find: /^zod\/mini$/,
        replacement: join(import.meta.dirname, "src", "engine", "unread-schemas.ts"),
      },
      // What stands in for it in versions of React before 18: the one of ours has it.
      { find: /^use-sync-external-store\/shim\/index\.js$/, replacement: "react" },
    ],
  },
  css: { modules: { generateScopedName: shortClassName } },
  build: {
    outDir: "dist",
    assetsDir: "static/assets",
    // The content security policy allows no data: fonts or scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      // Constants of other modules stand where they are used: 0.6 KB less of what a chat loads first.
      optimization: { inlineConst: { mode: "all", pass: 3 } },
      output: {
        // Names of files stand in the scripts that load them: they are as short as the build allows.
        entryFileNames: "static/assets/[name]-[hash:7].js",
        chunkFileNames: "static/assets/[name]-[hash:7].js",
        assetFileNames: "static/assets/[name]-[hash:7][extname]",
        // On a slow line each file costs a round trip: what several parts share is one file, not one for each of its users.
        // With what those import, or two files would wait for each other.
        codeSplitting: {
          includeDependenciesRecursively: true,
          groups: [
            // First of all, or the others would take what they import out of them.
            ...sharedFiles(isSharedBySmallParts),
            // After what begins every page, before what chats and later parts would take with them.
            { name: "sign-in", test: ofForms, priority: 4 },
            { name: "forms", minShareCount: 2, test: ofFormParts, priority: 4 },
            { name: "dialogs", minShareCount: 2, test: ofDialogs },
            { name: "sharing", minShareCount: 2, test: ofSharing },
            { name: "own-data", minShareCount: 2, test: ofOwnData },
            { name: "personas", minShareCount: 2, test: ofPersonas },
            { name: "tiles", minShareCount: 2, test: isOfFiles },
          ],
        },
      },
      // The stand-ins above hold what the page uses of their packages; more of it would be missing only at run time.
      onLog(level, log, report) {
        if (log.code === "IMPORT_IS_UNDEFINED") throw new Error(log.message);
        report(level, log);
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ["/api", "/version.txt", "/manifest.webmanifest"].map((path) => [path, "http://127.0.0.1:3000"]),
    ),
  },
  worker: { format: "es" },
});
