// Structured logs (pino). Secrets and people's words never enter: callers log ids, codes and counts.
import { pino, type Logger as PinoLogger } from "pino";

export type Logger = PinoLogger;

/** A JSON-lines logger on stdout. `level` as LOG_LEVEL. */
export function createLogger(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}
