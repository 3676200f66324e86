// Metrics as Prometheus text, readable with METRICS_TOKEN.
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";

export interface Metrics {
  /** One answered request. `path` is the call's own path, never the caller's text. */
  countRequest(method: string, path: string, status: number): void;
  /** Replies that this process runs now. */
  setRepliesRunning(count: number): void;
  /** How long one commit of the stream log took, in milliseconds. */
  observeLogCommit(ms: number): void;
  /** The Prometheus exposition text and its content type. */
  text(): Promise<{ body: string; contentType: string }>;
}

/** With a registry of its own, so that several apps in one process stay apart. The defaults include event loop delay. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "plumb_http_requests_total",
    help: "Answered requests by call and status",
    labelNames: ["method", "path", "status"],
    registers: [registry],
  });
  const running = new Gauge({
    name: "plumb_replies_running",
    help: "Replies this process runs",
    registers: [registry],
  });
  const commits = new Histogram({
    name: "plumb_log_commit_ms",
    help: "Duration of one commit of the stream log in milliseconds",
    buckets: [0.5, 1, 2, 5, 10, 20, 50, 100, 500],
    registers: [registry],
  });
  return {
    countRequest: (method, path, status) => requests.inc({ method, path, status }),
    setRepliesRunning: (count) => running.set(count),
    observeLogCommit: (ms) => commits.observe(ms),
    text: async () => ({ body: await registry.metrics(), contentType: registry.contentType }),
  };
}
