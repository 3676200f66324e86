// Structured logs (pino). Callers log ids, codes and counts, never secrets or people's texts.
import { pino, type DestinationStream, type Logger as PinoLogger } from "pino";
import { printableJson } from "./printable-text.ts";

export type Logger = PinoLogger;

/** A JSON-lines logger on stdout, or on `destination`. `level` as LOG_LEVEL. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // Operators read logs in terminals, and a log line can contain text that others sent.
    hooks: { streamWrite: printableJson },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
