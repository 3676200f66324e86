// Begin an import, ask how far it is, end it (wire-contract.md §19.6).
import {
  beginImport,
  cancelImport,
  CancelImportRefusal,
  ImportRefusal,
  lastImport,
} from "@plumb/protocol/wire/imports";
import { uploadBody } from "../../platform/http/body-limits.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { Refusal } from "../../platform/refusal.ts";
import { acceptImport } from "./accept-import.ts";
import { stopImport } from "./stop-import.ts";
import { findImport, hasRunningImport } from "./import-store.ts";
import type { ImportsContext } from "./imports-context.ts";
import { presentImport } from "./present-import.ts";

const API = { rate: "api", accountStatus: "any" } as const;

export function importRoutes(context: ImportsContext): Route[] {
  const { db, ports, rates } = context;
  return [
    route(
      beginImport,
      {
        rate: "export",
        accountStatus: "speaking",
        muted: "global",
        body: uploadBody,
        async checkLimit({ user }) {
          if (await hasRunningImport(db.kysely, user.id)) throw new Refusal(ImportRefusal.ImportRunning);
        },
      },
      async (caller, _request, body) => {
        // Not before the proof: one that was refused for it is sent again.
        if (!(await rates.countImport(caller.user.id))) throw new Refusal(ImportRefusal.RateLimit);
        try {
          const row = await acceptImport(context, caller, body);
          context.jobs.wake();
          return presentImport(row);
        } catch (error) {
          await rates.uncountImport(caller.user.id, ports.clock.now());
          throw error;
        }
      },
    ),

    route(lastImport, API, async ({ user }) => {
      const row = await findImport(db.kysely, user.id);
      return row === undefined ? null : presentImport(row);
    }),

    route(cancelImport, API, async ({ user }, { import_id: id }) => {
      const row = await stopImport(context, user.id, id);
      if (row === undefined) throw new Refusal(CancelImportRefusal.NoImportRunning);
      return presentImport(row);
    }),
  ];
}
