import { connect } from "node:net";
import { codeOf } from "../../platform/error-words.ts";

const PROBE_MS = 300;

/** True only when nothing listens at an address of this machine: a server that is slow or busy is still there. */
export function refusesConnections(baseUrl: string, probeMs = PROBE_MS): Promise<boolean> {
  const { hostname, port, protocol } = new URL(baseUrl);
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/gu, ""),
      port: Number(port || (protocol === "https:" ? 443 : 80)),
      timeout: probeMs,
    });
    const end = (refused: boolean): void => {
      socket.destroy();
      resolve(refused);
    };
    socket.once("connect", () => end(false));
    socket.once("timeout", () => end(false));
    socket.once("error", (error) => end(codeOf(error) === "ECONNREFUSED"));
  });
}
