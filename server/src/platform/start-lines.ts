// The last lines of a start: the model that answers, where people open the page, and while there is no account the link
// that makes the first one.
import type { NetworkInterfaceInfo } from "node:os";
import type { Config } from "../config.ts";
import type { ModelInfo, OfferedModel } from "../ports/model-provider.ts";
import { printable } from "./printable-text.ts";

type Interfaces = Readonly<Record<string, NetworkInterfaceInfo[] | undefined>>;

/** Interfaces to this machine's own containers and virtual machines: no other device can use their addresses. */
const insideOnly = /^(?:docker|br-|veth|virbr|vmnet|vboxnet|cni|flannel|cali|podman)/u;

/** `port` is the one it listens on, `interfaces` the machine's; `invitation` is null when there are accounts. */
export function startLines(
  { brandName, host, publicUrl }: Pick<Config, "brandName" | "host" | "publicUrl">,
  port: number,
  model: ModelInfo,
  interfaces: Interfaces,
  { offered, invitation }: { offered: readonly OfferedModel[]; invitation: string | null },
): string[] {
  const address = siteAddress({ host, publicUrl }, port);
  return [
    `Model: ${printable(modelWords(model))}`,
    ...(offered.length === 0 ? [] : [`People may choose: ${printable(offered.map(offerWords).join(", "))}`]),
    ...(publicUrl === null ? networkLines(host, port, interfaces) : []),
    `${printable(brandName)} is ready: ${address}`,
    ...(invitation === null
      ? []
      : [`Open this to make the first account: ${address}/sign_up?invitation=${invitation}`]),
  ];
}

/** The address people use: PUBLIC_URL, or where this machine listens. */
export function siteAddress({ host, publicUrl }: Pick<Config, "host" | "publicUrl">, port: number): string {
  return publicUrl ?? addressOf(everywhere(host) ? "localhost" : host, port);
}

/** Whom else the address serves, for links that are meant for somebody: none, or those of the network's other devices. */
export function placesOf(
  { host, publicUrl }: Pick<Config, "host" | "publicUrl">,
  port: number,
  interfaces: Interfaces,
): { onlyHere: boolean; elsewhere: string[] } {
  if (publicUrl !== null || !everywhere(host))
    return { onlyHere: publicUrl === null && isLoopback(host), elsewhere: [] };
  const elsewhere = addressesOf(interfaces, host === "::").map((address) => addressOf(address, port));
  return { onlyHere: false, elsewhere };
}

function modelWords({ kind, name, address, trouble }: ModelInfo): string {
  if (kind === "demo") return 'a demo that is no AI. How to connect one: README.md, "Connect a model"';
  if (kind === "embedded") return `${name}, in this process`;
  const host = address === undefined ? undefined : new URL(address).host;
  const which = name === host ? address : `${name}${address === undefined ? "" : ` at ${address}`}`;
  return trouble === undefined ? `${which}` : `${which}, which ${trouble}`;
}

function offerWords({ id, name, listed }: OfferedModel): string {
  return `${name === id ? id : `${name} (${id})`}${listed ? "" : ", which the endpoint does not list"}`;
}

function networkLines(host: string, port: number, interfaces: Interfaces): string[] {
  if (isLoopback(host)) {
    return ["Only this machine can open it. For the other devices of your network: HOST=0.0.0.0 npm start"];
  }
  if (!everywhere(host)) return [];
  const addresses = addressesOf(interfaces, host === "::").map((address) => addressOf(address, port));
  return addresses.length === 0 ? [] : [`Other devices of your network open ${addresses.join(" or ")}`];
}

function everywhere(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

/** IPv4 first, because it is easier to type. Link-local IPv6 is left out: it needs a zone, and browsers refuse that. */
function addressesOf(interfaces: Interfaces, withIpv6: boolean): string[] {
  const all = Object.entries(interfaces).flatMap(([name, infos = []]) =>
    insideOnly.test(name) ? [] : infos.filter(({ internal }) => !internal),
  );
  const ipv4 = all.filter(({ family }) => family === "IPv4");
  const ipv6 = withIpv6 ? all.filter((info) => info.family === "IPv6" && info.scopeid === 0) : [];
  return [...ipv4, ...ipv6].map(({ address }) => address);
}

function addressOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
