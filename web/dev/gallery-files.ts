// The states with files: attached, sent, and shown in the panel.
import { refused, ok } from "../src/engine/testing/fake-answers.ts";
import type { FakeServer } from "../src/engine/testing/fake-server.ts";
import type { Request } from "../src/engine/testing/fake-request.ts";
import { wireFile } from "../src/engine/testing/wire-file.ts";
import type { GalleryState } from "./gallery-page.ts";
import { answer, holdTalk, listChats, SHOWN_PATH, user } from "./gallery-talk.ts";
import { pdfText } from "./gallery-pdf.ts";
import { until } from "./until.ts";

const UPLOAD = "/api/v0/file/upload_file";
const NEW = "new:chat";
const MIB = 1024 * 1024;

/** Uploads of these names stand still, are refused, or are read. */
function holdUploads(server: FakeServer): void {
  server.answer(UPLOAD, (request: Request) => {
    const name = request.file?.name ?? "";
    if (name.startsWith("uploading")) {
      request.progress?.(0.42);
      return new Promise<Response>(() => {});
    }
    if (name.startsWith("refused")) return refused(8, "TOO_MANY_CONCURRENT");
    const response = server.files.upload(request);
    const { id } = server.files.all().at(-1) ?? { id: "" };
    if (name.startsWith("parsing")) server.files.change(id, { status: "PARSING" });
    else if (name.startsWith("empty"))
      server.files.change(id, { status: "CONTENT_EMPTY", error_code: 40001 });
    else server.files.read(id, 100);
    return response;
  });
}

const attached = (names: [name: string, size: number][]): GalleryState => ({
  path: "/",
  prepare(server) {
    listChats(server);
    holdUploads(server);
  },
  async act(engine, server) {
    void until(() => document.querySelector("textarea") !== null).then(async () => {
      const { attachFiles } = await import("../src/features/composer/attach-files.ts");
      const files = names.map(([name, size]) => ({ name, size }));
      await attachFiles(engine, NEW, files as unknown as File[]);
      server.files.all();
    });
    await Promise.resolve();
  },
});

const question = user(1, "What do these say about the harvest of 2025, and do the numbers agree?");
const sentFiles = [
  wireFile({ id: "f1", file_name: "Annual harvest report 2025 (final).pdf", file_size: 2.4 * MIB }),
  wireFile({ id: "f2", file_name: "收成数据汇总表.csv", file_size: 18_432 }),
  wireFile({ id: "f3", file_name: "field-3.jpg", file_size: 3.1 * MIB }),
  wireFile({ id: "f4", file_name: "model.py", file_size: 9_120, previewable: false }),
];
const talk = [
  { ...question, files: sentFiles },
  answer(2, "They agree but for **one** line: the oats of May."),
];

function previewed(index: number, make: () => { type: string; url: string }): GalleryState {
  return {
    path: SHOWN_PATH,
    prepare(server) {
      holdTalk(server, talk);
      const file = sentFiles[index];
      server.answer("/api/v0/file/preview", () => {
        const { type, url } = make();
        return ok({ url, expire_at: Date.now() / 1000 + 9999, type, name: file?.file_name });
      });
    },
    async act(engine) {
      const { id = "", file_name: name = "" } = sentFiles[index] ?? {};
      void until(() => document.querySelector("article button") !== null).then(() =>
        engine.site.openPanel({ kind: "file", fileId: id, name }),
      );
      await Promise.resolve();
    },
  };
}
const blob = (content: string, type: string): string => URL.createObjectURL(new Blob([content], { type }));

const csv = [
  "日期,作物,产量（吨）,地块,Remarks",
  ...Array.from({ length: 3000 }, (_, at) =>
    [
      `2025-${String((at % 12) + 1).padStart(2, "0")}-01`,
      ["小麦", "Oats", "大麦"][at % 3],
      (at * 37.5) % 991,
      `Field ${at % 9}`,
      at % 7 === 0 ? '"wet, sown late, needs another look before the winter"' : "",
    ].join(","),
  ),
].join("\n");
const python = Array.from(
  { length: 900 },
  (_, at) => `def yield_of_${at}(field: str, tons: float = ${at}.5) -> float:
    """产量 of one field, in tons."""
    # Fields without a number are skipped.
    if not field.startswith("f"):
        return 0.0
    return tons * ${at} / 3
`,
).join("\n");
const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800"><rect width="1200" height="800" fill="#8fb3c0"/><rect y="520" width="1200" height="280" fill="#c9b26b"/><circle cx="900" cy="200" r="90" fill="#fff6d8"/></svg>`;

export const fileStates: Record<string, GalleryState> = {
  "files-attached": attached([
    ["uploading a very long report of the whole year.pdf", 34 * MIB],
    ["parsing 年度报告.docx", 812_000],
    ["field notes.md", 5_300],
    ["refused sheet.xlsx", 44_000],
    ["empty scan.png", 1.2 * MIB],
    ["slides.pptx", 7.7 * MIB],
  ]),
  "files-one": attached([["report.pdf", 34_000]]),
  "files-many": attached(Array.from({ length: 14 }, (_, at) => [`chapter ${at + 1}.epub`, at * 99_000 + 1])),
  "files-over": {
    ...attached([
      ["a.txt", 500_000],
      ["b.txt", 400_000],
    ]),
    prepare(server) {
      listChats(server);
      server.answer(UPLOAD, (request) => {
        const response = server.files.upload(request);
        server.files.read(server.files.all().at(-1)?.id ?? "", 60_000);
        return response;
      });
    },
  },
  "files-sent": { path: SHOWN_PATH, prepare: (server) => holdTalk(server, talk) },
  "preview-pdf": previewed(0, () => ({ type: "pdf", url: blob(pdfText, "application/pdf") })),
  "preview-table": previewed(1, () => ({ type: "text", url: blob(csv, "text/plain") })),
  "preview-image": previewed(2, () => ({ type: "image", url: blob(picture, "image/svg+xml") })),
  "preview-text": previewed(3, () => ({ type: "text", url: blob(python, "text/plain") })),
  "preview-failed": {
    ...previewed(0, () => ({ type: "pdf", url: "/nowhere" })),
    prepare(server) {
      holdTalk(server, talk);
      server.answer("/api/v0/file/preview", () => refused(3, "FILE_NOT_READY"));
    },
  },
};
