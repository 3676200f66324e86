// Binds the counts of connections and unfinished requests to a server's connections and bodies (wire-contract.md §1.9).
import { Global } from "@plumb/protocol/wire/global-codes";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { BlockList, isIPv6, type Socket } from "node:net";
import { networkOf } from "../network-of.ts";
import { GlobalRefusal } from "../refusal.ts";
import { BodyBudget } from "./body-budget.ts";
import { refuseConnection } from "./client-error.ts";
import type { HttpLimits } from "./http-limits.ts";
import { IncomingBody } from "./incoming-body.ts";
import { type OpenConnection, OpenConnections } from "./open-connections.ts";
import { plainAddress } from "./request-context.ts";
import { UnfinishedRequests, type UnfinishedRequest } from "./unfinished-requests.ts";

export interface ConnectionLimits {
  /**
   * The body of a request that has just come, counted until it has ended. `ip` is the client's address, `ms` the time the
   * body has.
   */
  bodyOf(request: IncomingMessage, options: { ip: string; ms: number }): IncomingBody;
  /** Ends the counting. */
  close(): void;
}

/**
 * All open connections of a network are counted, and unfinished requests apart from them. The latter count from the first byte: a connection until its first request is whole, and every body until its end. Connections of
 * trusted proxies carry many people's requests and are not counted; the bodies they bring are, by their senders.
 */
export function limitConnections(
  server: Server,
  { limits, trustedProxies }: { limits: HttpLimits; trustedProxies: readonly string[] },
): ConnectionLimits {
  const budget = new BodyBudget(limits.bodyBudgetBytes);
  const unfinished = new UnfinishedRequests({
    limit: limits.unfinishedPerNetwork,
    graceMs: limits.unfinishedGraceMs,
    now: () => performance.now(),
  });
  const firstRequests = new WeakMap<Socket, UnfinishedRequest>();
  const connections = new OpenConnections(limits.connectionsPerNetwork);
  const openConnections = new WeakMap<Socket, OpenConnection>();
  const isTrusted = trustOf(trustedProxies);

  server.on("connection", (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? "");
    if (isTrusted(address)) return;
    const network = networkOf(address);
    const connection = connections.begin(network, () => refuseConnection(socket, tooMany));
    openConnections.set(socket, connection);
    socket.once("close", () => connection.end());
    const one = unfinished.begin(network, () => refuseConnection(socket, tooMany));
    firstRequests.set(socket, one);
    socket.once("close", () => one.end());
  });
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const endRequest = openConnections.get(socket)?.beginRequest();
    if (endRequest !== undefined) response.once("close", endRequest);
  });
  const timer = setInterval(() => unfinished.sweep(), limits.unfinishedGraceMs);
  timer.unref();

  return {
    bodyOf(request, { ip, ms }) {
      const network = networkOf(ip);
      const body = new IncomingBody(request, { ms, lingerMs: limits.lingerMs, sender: network, budget });
      const first = firstRequests.get(request.socket);
      firstRequests.delete(request.socket);
      if (!body.pending) {
        first?.end();
        return body;
      }
      const refuse = () =>
        body.refuse(new GlobalRefusal(Global.OperationTooFrequent, { retryAfter: retrySecs }));
      const one = first ?? unfinished.begin(network, refuse);
      one.onRefused(refuse);
      body.onSettled(() => one.end());
      return body;
    },
    close() {
      clearInterval(timer);
    },
  };
}

const retrySecs = 5;
const tooMany = `429 Too Many Requests\r\nretry-after: ${retrySecs}`;

function trustOf(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = "", prefix] = proxy.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => address !== "" && list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
