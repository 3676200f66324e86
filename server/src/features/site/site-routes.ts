// Settings for the client, version, banner and reports (wire-contract.md §6).
import { createHash } from "node:crypto";
import { defineCall } from "@plumb/protocol/wire/call";
import { envelopeOk } from "@plumb/protocol/wire/envelope";
import { nothing } from "@plumb/protocol/wire/fields";
import { ContentType } from "@plumb/protocol/wire/headers";
import {
  clientIpInfo,
  clientSettings,
  clientSpan,
  STATUS_PATH,
  VERSION_PATH,
} from "@plumb/protocol/wire/site";
import type { Deps } from "../../platform/deps.ts";
import { PlainAnswer } from "../../platform/http/answers.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { regionOf } from "../guard/region-of.ts";
import { buildClientSettings } from "./build-client-settings.ts";
import { createShownBanner } from "./shown-banner.ts";

const PUBLIC = { rate: "public", accountStatus: "any" } as const;
const NO_RATE = { rate: "none", accountStatus: "any" } as const;

const version = defineCall<null>()({ method: "GET", path: VERSION_PATH, auth: "none", request: nothing });
const status = defineCall<null>()({ method: "GET", path: STATUS_PATH, auth: "none", request: nothing });

/** True when If-None-Match names the tag; weak tags compare alike. */
function matches(header: string | string[] | undefined, tag: string): boolean {
  const tags = [header ?? []].flat().flatMap((value) => value.split(","));
  return tags.some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === tag);
}

export function siteRoutes(deps: Deps, webVersion: string): Route[] {
  const { config, db, log, ports } = deps;
  const shownBanner = createShownBanner(db, ports.clock);
  return [
    route(clientSettings, { ...PUBLIC, answers: ["plain"] }, async (context) => {
      const { headers, traceId } = context;
      const settings = buildClientSettings(config, {
        model: ports.model,
        senders: ports,
        extensions: ports.documentReader.extensions,
        search: ports.search !== null,
        region: regionOf(deps, context),
      });
      // A weak tag: it is the document's, while the envelope around it differs by its trace id.
      const tag = `"${createHash("sha256").update(JSON.stringify(settings)).digest("base64url").slice(0, 27)}"`;
      const cacheHeaders = { etag: `W/${tag}`, "cache-control": "no-cache" };
      if (matches(headers["if-none-match"], tag)) return new PlainAnswer("", cacheHeaders, 304);
      const body = JSON.stringify(envelopeOk(traceId, settings));
      return new PlainAnswer(body, { ...cacheHeaders, "content-type": ContentType.Json });
    }),
    route(clientIpInfo, PUBLIC, async (context) => ({ ip: context.ip, region: regionOf(deps, context) })),
    route(clientSpan, PUBLIC, async (_context, report) => {
      if (config.analytics.spans) log.info({ report }, "how a page was used");
      return null;
    }),
    route(version, { ...NO_RATE, answers: ["plain"] }, async () => {
      const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-cache" };
      return new PlainAnswer(webVersion, headers);
    }),
    route(status, { ...NO_RATE, answers: ["plain"] }, async () => {
      const headers = { "content-type": ContentType.Json, "cache-control": "no-cache" };
      return new PlainAnswer(JSON.stringify(await shownBanner()), headers);
    }),
  ];
}
