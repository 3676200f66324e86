// Begin an export, ask what became of it, download it (wire-contract.md §14).
import {
  downloadExportHistory,
  DownloadExportRefusal,
  exportAll,
  exportAllByGet,
  ExportAllRefusal,
  exportFile,
  type ExportStatus,
} from "@plumb/protocol/wire/exports";
import { Global } from "@plumb/protocol/wire/global-codes";
import type { Deps } from "../../platform/deps.ts";
import { DownloadAnswer } from "../../platform/http/answers.ts";
import { firstOf } from "../../platform/http/request-context.ts";
import { type Policy, type Route, route, type SignedInContext } from "../../platform/http/route.ts";
import type { JobRunner } from "../../platform/jobs/job-runner.ts";
import { GlobalRefusal, Refusal } from "../../platform/refusal.ts";
import type { RateLimits } from "../guard/rate-limit.ts";
import { linkGenerationOf } from "../accounts/user-store.ts";
import { newExportId } from "./export-keys.ts";
import { type ExportRow, findExport, findExportById, replaceExport } from "./export-store.ts";
import { readExportToken, signExportToken } from "./export-token.ts";
import { expireAtOf, noExport, presentExport } from "./present-export.ts";

export function exportRoutes(deps: Deps, { jobs, rates }: { jobs: JobRunner; rates: RateLimits }): Route[] {
  const { db, ports, config, secretKey } = deps;
  const nowSecs = () => Math.floor(ports.clock.now() / 1000);

  const begin: Policy = {
    rate: "export",
    accountStatus: "any",
    async checkLimit({ user, headers }) {
      // A page of another site could begin one over and over; it could read nothing of it.
      if (firstOf(headers["sec-fetch-site"]) === "cross-site") throw new GlobalRefusal(Global.NotFound);
      if (!(await rates.countExport(user.id))) throw new Refusal(ExportAllRefusal.RateLimit);
    },
  };

  async function beginExport(context: SignedInContext): Promise<ExportStatus> {
    const { user, locale, log } = context;
    let row: ExportRow;
    try {
      const now = ports.clock.now();
      row = await replaceExport(db, { id: newExportId(), user_id: user.id, locale, requested_at: now });
    } catch (error) {
      log.error({ err: error }, "an export could not be begun");
      throw new Refusal(ExportAllRefusal.ExportFailed);
    }
    jobs.wake();
    return present(row, context);
  }

  function present(row: ExportRow, { user, origin }: SignedInContext): ExportStatus {
    const generation = user.linkGeneration;
    return presentExport(row, (expireAt) => {
      const right = { exportId: row.id, userId: row.user_id, expireAt, generation };
      const token = signExportToken(secretKey, right);
      const base = config.publicUrl === null ? origin : new URL(config.publicUrl).origin;
      return `${base}${exportFile.path}?token=${token}`;
    });
  }

  return [
    route(exportAll, begin, (context) => beginExport(context)),
    route(exportAllByGet, begin, (context) => beginExport(context)),

    route(downloadExportHistory, { rate: "api", accountStatus: "any" }, async (context) => {
      const row = await findExport(db.kysely, context.user.id);
      if (row === undefined) throw new Refusal(DownloadExportRefusal.NoExportTask, { ...noExport });
      if (row.status === "FAILED") throw new Refusal(DownloadExportRefusal.ExportFailed);
      if (row.status === "FINISHED" && (expireAtOf(row) ?? 0) <= nowSecs())
        throw new Refusal(DownloadExportRefusal.ExportExpired, { ...noExport });
      return present(row, context);
    }),

    route(
      exportFile,
      { rate: "public", accountStatus: "any", answers: ["download"] },
      async (_caller, { token }) => {
        const right = readExportToken(secretKey, token);
        if (right === null) throw new GlobalRefusal(Global.NotFound);
        if (right.expireAt <= nowSecs()) throw new GlobalRefusal(Global.LinkExpired);
        const row = await findExportById(db.kysely, right.exportId);
        if (row?.user_id !== right.userId || row.status !== "FINISHED" || row.object_key === null)
          throw new GlobalRefusal(Global.NotFound);
        const generation = await linkGenerationOf(db.kysely, right.userId);
        // As every other right of theirs: a ban ends it.
        if (generation === null) throw new GlobalRefusal(Global.NotFound);
        if (right.generation !== generation) throw new GlobalRefusal(Global.LinkExpired);
        return zipContent(deps, { ...row, key: row.object_key });
      },
    ),
  ];
}

function zipContent(
  { ports }: Deps,
  { key, bytes, finished_at }: ExportRow & { key: string },
): DownloadAnswer {
  const day = new Date(finished_at ?? 0).toISOString().slice(0, 10).replaceAll("-", "");
  return new DownloadAnswer({
    name: `plumb-export-${day}.zip`,
    type: "application/zip",
    disposition: "attachment",
    bytes,
    // The bytes of a key never change.
    etag: `"${key}"`,
    read: (start, end) => ports.objectStore.read(key, { start, end }),
  });
}
