// The files of the fake server: uploads are stored as PENDING, and are read when the test says so.
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import {
  cleanFileName,
  EXTENSIONS,
  fileProblem,
  isImageFile,
  previewKindOf,
} from "@plumb/protocol/rules/upload-rules";
import { PreviewRefusal, UploadRefusal } from "@plumb/protocol/wire/files";
import { globalError, ok, refused } from "./fake-answers.ts";
import type { Request } from "./fake-request.ts";
import { wireFile } from "./wire-file.ts";

const SECS = 1_790_000_000;

export type FakeFiles = ReturnType<typeof createFakeFiles>;

export function createFakeFiles(spentProofs: Set<string>) {
  const files = new Map<string, FileInfo>();
  let lastId = 0;

  function upload({ headers, file }: Request): Response {
    const proof = headers["x-ds-pow-response"] ?? "";
    if (proof === "") return globalError(40300, "POW_HEADER_ERROR");
    if (spentProofs.has(proof)) return globalError(40301, "INVALID_POW_RESPONSE");
    spentProofs.add(proof);
    const name = cleanFileName(file?.name ?? "");
    const problem = fileProblem({ name, bytes: file?.size ?? 0 }, EXTENSIONS);
    if (problem !== null) return refused(UploadRefusal[problem].code, UploadRefusal[problem].msg);
    const info = wireFile({
      id: `file-${++lastId}`,
      file_name: name,
      file_size: file?.size ?? 0,
      status: "PENDING",
      previewable: false,
      token_usage: 0,
      is_image: isImageFile(name),
    });
    files.set(info.id, info);
    return ok(info);
  }

  function fetch({ query }: Request): Response {
    const ids = [...new Set((query.get("file_ids") ?? "").split(","))];
    return ok({ files: ids.flatMap((id) => files.get(id) ?? []) });
  }

  function preview({ query }: Request): Response {
    const file = files.get(query.get("file_id") ?? "");
    const { FileNotFound, FileNotPreviewable, FileNotReady } = PreviewRefusal;
    if (file === undefined) return refused(FileNotFound.code, FileNotFound.msg);
    if (file.status === "PENDING" || file.status === "PARSING")
      return refused(FileNotReady.code, FileNotReady.msg);
    const type = previewKindOf(file.file_name);
    if (type === null || file.status !== "SUCCESS")
      return refused(FileNotPreviewable.code, FileNotPreviewable.msg);
    const url = `http://plumb.test/api/v0/file/raw?token=${file.id}`;
    return ok({ url, expire_at: SECS + 4 * 3600, type, name: file.file_name });
  }

  return {
    upload,
    fetch,
    preview,
    get: (id: string): FileInfo | undefined => files.get(id),
    /** What was uploaded, the oldest first. */
    all: (): FileInfo[] => [...files.values()],
    put: (info: FileInfo): void => void files.set(info.id, info),
    remove: (id: string): boolean => files.delete(id),
    /** Another thing becomes of a file. */
    change(id: string, part: Partial<FileInfo>): void {
      const file = files.get(id);
      if (file === undefined) throw new Error(`there is no file ${id}`);
      files.set(id, { ...file, previewable: false, ...part });
    },
    /** The file is read: so many tokens of text. */
    read(id: string, token_usage = 100): void {
      const file = files.get(id);
      if (file === undefined) throw new Error(`there is no file ${id}`);
      const previewable = previewKindOf(file.file_name) !== null;
      files.set(id, { ...file, status: "SUCCESS", token_usage, previewable });
    },
  };
}
