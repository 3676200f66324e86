// Starts the server (config → database → ports → app → listen) and shuts it down in order.
import { flushCompileCache } from "node:module";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { buildPorts } from "./adapters/build-ports.ts";
import { createApp } from "./app.ts";
import { type Config, readConfig } from "./config.ts";
import { openDatabase } from "./platform/database/open-database.ts";
import { readDotenvFile } from "./platform/dotenv-file.ts";
import { codeOf } from "./platform/error-words.ts";
import { keepAddress } from "./platform/kept-address.ts";
import { createLogger, type Logger } from "./platform/logger.ts";
import { keepNewFilesPrivate } from "./platform/private-files.ts";
import { StartError } from "./platform/start-error.ts";
import { startLines } from "./platform/start-lines.ts";

/** The process exits after so long, whatever hangs. */
const shutdownLimitMs = 9500;
/** The last start lines name the model. They wait so long for one that does not answer; the server serves already. */
const modelWaitMs = 1500;
/** A terminal sends Ctrl-C to the launcher and to this process, and the launcher forwards it: one keypress, two signals. */
const sameSignalMs = 500;

async function main(): Promise<void> {
  keepNewFilesPrivate();
  const config = readConfig(process.env, { dotenvText: readDotenvFile() });
  const log = createLogger(config.logLevel);
  const db = await openDatabase(config, log);
  const ports = await buildPorts(config, log);
  const app = await createApp(config, ports, { db, log });

  const end = async (serveMs: number): Promise<void> => {
    await app.drain(serveMs);
    await app.close();
    await ports.model.close();
    await ports.contentFilter?.close();
    await ports.search?.close();
    await ports.mailer.close();
    await ports.smsSender.close();
    await ports.documentReader.close();
    await ports.conversationReader.close();
    await db.close();
  };
  endOnSignal(log, config.drainMs, end);

  await app.start();
  try {
    await app.fastify.listen({ host: config.host, port: config.port });
  } catch (error) {
    await end(0);
    throw explainListening(error, config);
  }
  const { port } = app.fastify.server.address() as AddressInfo;
  keepAddress(config.dataDir, { host: config.host, port }, log);
  await Promise.race([ports.model.health(), sleep(modelWaitMs, undefined, { ref: false })]);
  const invitation = await app.inviteFirst();
  const lines = startLines(config, port, ports.model.info(), networkInterfaces(), {
    offered: ports.model.offered(),
    invitation,
  });
  process.stdout.write(`${lines.join("\n")}\n`);
  // Node writes its compile cache at an orderly exit only; the start after a kill -9 has to be quick, too.
  flushCompileCache();
}

/**
 * After SIGTERM, SIGHUP and the end of the launcher's channel requests are served for `drainMs` more. SIGINT comes from
 * someone at a terminal and does not wait. A second signal exits at once.
 */
function endOnSignal(log: Logger, drainMs: number, end: (serveMs: number) => Promise<void>): void {
  let first: { signal: string; at: number } | null = null;

  const shutDown = (signal: string, serveMs: number): void => {
    if (first !== null) {
      if (first.signal === signal && performance.now() - first.at < sameSignalMs) return;
      process.exit(1);
    }
    first = { signal, at: performance.now() };
    log.info({ signal }, "shutting down");
    setTimeout(() => {
      log.error("the shutdown took too long");
      process.exit(1);
    }, shutdownLimitMs).unref();
    end(serveMs).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, "the shutdown failed");
        process.exit(1);
      },
    );
  };

  process.on("SIGTERM", () => shutDown("SIGTERM", drainMs));
  process.on("SIGHUP", () => shutDown("SIGHUP", drainMs));
  process.on("SIGINT", () => shutDown("SIGINT", 0));
  // The channel closes when the launcher ends, also after a signal; then the shutdown has begun already.
  process.on("disconnect", () => {
    if (first === null) shutDown("disconnect", drainMs);
  });
}

/** Another port that needs no special rights; 0 takes a free one. */
function otherPort(port: number): number {
  return port >= 1024 && port < 65_535 ? port + 1 : 0;
}

const listenReasons: Readonly<Record<string, string>> = {
  EACCES: "this user may not take that port",
  EADDRNOTAVAIL: "this machine has no such address",
  EAFNOSUPPORT: "this machine has no such address",
  ENOTFOUND: "no machine has this name",
  EAI_AGAIN: "the name cannot be looked up",
};

function explainListening(error: unknown, { host, port }: Config): unknown {
  const code = codeOf(error);
  if (code === "EADDRINUSE") {
    return new StartError(
      `Port ${port} of ${host} is taken by another program. Stop it, or choose another: PORT=${otherPort(port)} npm start`,
    );
  }
  if (code !== undefined && listenReasons[code] !== undefined) {
    return new StartError(
      `Cannot listen on ${host}:${port}: ${listenReasons[code]}. Choose others with HOST and PORT.`,
    );
  }
  return error;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof StartError ? error.message : describe(error)}\n`);
  process.exit(1);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
