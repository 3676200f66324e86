// Structured logs (pino). Callers log ids, codes and counts, never secrets or people's texts.
import { pino, type DestinationStream, type Logger as PinoLogger } from "pino";
import { printableJson } from "./printable-text.ts";

export type Logger = PinoLogger;

/** What PostgreSQL says of an error beside its message holds values of the row, such as an address or what somebody wrote. */
const OF_ROWS = ["detail", "where", "internalQuery"];

/** Anything can be thrown. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const fields = Object.entries(pino.stdSerializers.err(error));
  return Object.fromEntries(fields.filter(([name]) => !OF_ROWS.includes(name)));
}

/** A JSON-lines logger on stdout, or on `destination`. `level` as LOG_LEVEL. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    serializers: { err: describe },
    timestamp: pino.stdTimeFunctions.isoTime,
    // Operators read logs in terminals, and a log line can contain text that others sent.
    hooks: { streamWrite: printableJson },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
