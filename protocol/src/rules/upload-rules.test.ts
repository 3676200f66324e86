import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../limits.ts";
import {
  cleanFileName,
  EXTENSIONS,
  extensionOf,
  fileProblem,
  isImageFile,
  previewKindOf,
} from "./upload-rules.ts";

describe("names of files", () => {
  it.each([
    ["notes.txt", "notes.txt"],
    ["/etc/passwd", "passwd"],
    ["C:\\Users\\me\\report.docx", "report.docx"],
    ["../../../server/src/main.ts", "main.ts"],
    ["a/b\\c.txt", "c.txt"],
    ["  spaced name.md ", "spaced name.md"],
    ["line\r\nbreak\u0000.txt", "linebreak.txt"],
    ["photo\u202egnp.exe.txt", "photognp.exe.txt"],
    ["half \ud83d.txt", "half .txt"],
    ["年度报告 🎉.pdf", "年度报告 🎉.pdf"],
    [".env", ".env"],
    ["..", ""],
    ["folder/", ""],
    ["\u0007", ""],
    ["", ""],
  ])("%j is kept as %j", (sent, kept) => {
    expect(cleanFileName(sent)).toBe(kept);
  });

  it("keep no path and nothing that cannot be seen, whatever was sent", () => {
    const parts = fc.constantFrom("a", "..", ".", "/", "\\", "\0", "\u001b", "\u202e", "\ud800", "世", " ");
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (list) => {
        const name = cleanFileName(list.join(""));
        expect(name).not.toMatch(/[/\\\p{Cc}\p{Surrogate}\u202e]/u);
        expect(["", name.trim()]).toContain(name);
        expect(name).not.toMatch(/^\.+$/u);
        expect(cleanFileName(name)).toBe(name);
      }),
    );
  });

  it.each([
    ["a.txt", "txt"],
    ["A.TXT", "txt"],
    ["archive.tar.gz", "gz"],
    [".env", "env"],
    ["Makefile", ""],
    ["ends.", ""],
  ])("%j has the extension %j", (name, extension) => {
    expect(extensionOf(name)).toBe(extension);
  });
});

describe("what may be uploaded", () => {
  const problem = (name: string, bytes: number | null = 10) => fileProblem({ name, bytes }, EXTENSIONS);

  it("every kind of the list, in any case of letters [FILE-023] [FILE-024]", () => {
    const families = ["pdf", "epub", "png", "csv", "pptx", "py", "html", "yaml"];
    for (const extension of [...families, ...EXTENSIONS]) {
      expect(EXTENSIONS).toContain(extension);
      expect(problem(`file.${extension}`)).toBeNull();
      expect(problem(`FILE.${extension.toUpperCase()}`)).toBeNull();
    }
    for (const name of ["virus.exe", "no-extension", "txt", "archive.zip", "a.txt.dll", "txt."]) {
      expect(problem(name), name).toBe("UnsupportedFormat");
    }
    expect(fileProblem({ name: "a.pdf", bytes: 1 }, ["txt"])).toBe("UnsupportedFormat");
  });

  it("names of 1 to 255 characters, counted as code points", () => {
    expect(problem("")).toBe("FileNameEmpty");
    expect(problem(`${"🎉".repeat(LIMITS.fileNameChars - 4)}.txt`)).toBeNull();
    expect(problem(`${"a".repeat(LIMITS.fileNameChars - 3)}.txt`)).toBe("FileNameTooLong");
  });

  it("1 byte to 104857600 bytes [FILE-021]", () => {
    expect(LIMITS.fileBytes).toBe(104_857_600);
    expect(problem("a.txt", 0)).toBe("FileSizeEmpty");
    expect(problem("a.txt", 1)).toBeNull();
    expect(problem("a.txt", 104_857_600)).toBeNull();
    expect(problem("a.txt", 104_857_601)).toBe("FileTooLarge");
    expect(problem("a.txt", null)).toBeNull();
  });
});

describe("how a file is shown", () => {
  it("a pdf as pdf, an image as image, any other file as text [FILE-038] [FILE-039]", () => {
    expect(previewKindOf("a.pdf")).toBe("pdf");
    const images = ["png", "jpg", "jpeg", "svg", "gif", "webp", "bmp", "apng", "ico", "avif"];
    expect(EXTENSIONS.filter((extension) => previewKindOf(`a.${extension}`) === "image").sort()).toEqual(
      images.toSorted(),
    );
    expect(EXTENSIONS.filter((extension) => isImageFile(`a.${extension}`)).sort()).toEqual(images.toSorted());
    for (const extension of ["txt", "py", "csv", "html", "epub", "odt"])
      expect(previewKindOf(`A.${extension.toUpperCase()}`)).toBe("text");
  });

  it("office files not at all [FILE-037]", () => {
    const without = EXTENSIONS.filter((extension) => previewKindOf(`a.${extension}`) === null);
    expect(without.sort()).toEqual(["doc", "docx", "ppt", "pptx", "xls", "xlsx"]);
  });
});
