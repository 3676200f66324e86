// Upload, status, preview, bytes (wire-contract.md §12).
import { LIMITS } from "@plumb/protocol/limits";
import { previewKindOf } from "@plumb/protocol/rules/upload-rules";
import { fetchFiles, previewFile, PreviewRefusal, rawFile, uploadFile } from "@plumb/protocol/wire/files";
import { Global } from "@plumb/protocol/wire/global-codes";
import { uploadBody } from "../../platform/http/body-limits.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { GlobalRefusal, Refusal } from "../../platform/refusal.ts";
import type { RateLimits } from "../guard/rate-limit.ts";
import { linkGenerationOf } from "../accounts/user-store.ts";
import { acceptUpload } from "./accept-upload.ts";
import { findFiles } from "./file-store.ts";
import type { FilesContext } from "./files-context.ts";
import { presentFile } from "./present-file.ts";
import { rawContent } from "./raw-content.ts";
import { readRawToken, signRawToken } from "./raw-token.ts";
import { checkUploadRate } from "./upload-checks.ts";

const API = { rate: "api", accountStatus: "any" } as const;

export function fileRoutes(context: FilesContext, rates: RateLimits): Route[] {
  const { db, ports, config, secretKey } = context;
  const nowSecs = () => Math.floor(ports.clock.now() / 1000);

  return [
    route(
      uploadFile,
      {
        rate: "upload",
        accountStatus: "speaking",
        muted: "global",
        body: uploadBody,
        checkLimit: ({ user }) => checkUploadRate(db, rates, user.id),
      },
      async (caller, _request, body) => presentFile(await acceptUpload(context, caller, body)),
    ),

    route(fetchFiles, API, async ({ user }, { file_ids: ids }) => ({
      files: (await findFiles(db.kysely, user.id, ids)).map(presentFile),
    })),

    route(previewFile, API, async ({ user, origin }, { file_id: id }) => {
      const [file] = await findFiles(db.kysely, user.id, [id]);
      if (file === undefined) throw new Refusal(PreviewRefusal.FileNotFound);
      if (file.status === "PENDING" || file.status === "PARSING")
        throw new Refusal(PreviewRefusal.FileNotReady);
      const kind = previewKindOf(file.name);
      if (kind === null || file.status !== "SUCCESS" || file.from_share !== 0)
        throw new Refusal(PreviewRefusal.FileNotPreviewable);
      const expireAt = nowSecs() + LIMITS.previewUrlLifeSecs;
      const right = { fileId: file.id, kind, userId: user.id, expireAt, generation: user.linkGeneration };
      const token = signRawToken(secretKey, right);
      const base = config.publicUrl === null ? origin : new URL(config.publicUrl).origin;
      const url = `${base}${rawFile.path}?token=${token}&expires=${expireAt}`;
      return { url, expire_at: expireAt, type: kind, name: file.name };
    }),

    route(
      rawFile,
      { rate: "public", accountStatus: "any", answers: ["download"] },
      async (_caller, { token }) => {
        const right = readRawToken(secretKey, token);
        if (right === null) throw new GlobalRefusal(Global.NotFound);
        if (right.expireAt < nowSecs()) throw new GlobalRefusal(Global.LinkExpired);
        const [file] = await findFiles(db.kysely, right.userId, [right.fileId]);
        if (file?.status !== "SUCCESS") throw new GlobalRefusal(Global.NotFound);
        const generation = await linkGenerationOf(db.kysely, right.userId);
        // As every other right of theirs: a ban ends it.
        if (generation === null) throw new GlobalRefusal(Global.NotFound);
        if (right.generation !== generation) throw new GlobalRefusal(Global.LinkExpired);
        return rawContent(ports.objectStore, file, right.kind);
      },
    ),
  ];
}
