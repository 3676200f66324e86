// How a guarded fetch reaches the network: names are resolved and sockets opened here, and nowhere else, so that what was
// checked is what is connected to.
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { buildConnector } from "undici";
import { isPublicAddress } from "./public-address.ts";

/** The two things a guarded fetch asks of the machine. Tests have their own; neither can say that an address is allowed. */
export interface Network {
  /** Every address of a name. Throws when there is none. */
  resolve(name: string): Promise<readonly string[]>;
  /** Opens a socket to `hostname`, which is an address by then. */
  connect: buildConnector.connector;
}

const CONNECT_MS = 3000;
/** Names that belong to nobody in the public internet (RFC 6761, RFC 6762, RFC 8375): a resolver is not even asked. */
const NOT_PUBLIC_NAME =
  /(^|\.)(test|example|invalid|localhost|local|internal|intranet|lan|home|corp|onion|home\.arpa)\.?$/iu;
/** More addresses of one name are not tried. */
const ADDRESSES = 3;

export const systemNetwork: Network = {
  resolve: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
  connect: buildConnector({ timeout: CONNECT_MS, allowH2: false }),
};

/**
 * The public addresses of the host of a URL, resolved once; empty when it has none.
 * @param host as `URL.hostname` gives it: every spelling of an IPv4 address is a dotted one there, IPv6 stands in brackets
 */
export async function publicAddresses(network: Network, host: string): Promise<string[]> {
  const name = host.replace(/^\[|\]$/gu, "");
  if (NOT_PUBLIC_NAME.test(name)) return [];
  const found = isIP(name) === 0 ? await network.resolve(name) : [name];
  return found.filter(isPublicAddress).slice(0, ADDRESSES);
}

/** A connector to these addresses and no others, whatever name the caller gives: the first one that answers. */
export function pinnedTo(network: Network, addresses: readonly string[]): buildConnector.connector {
  return (options, callback) => {
    const [first = "", ...others] = addresses;
    // By the name, and not by the address: this is what a certificate is checked for.
    const servername = isIP(options.hostname) === 0 ? options.hostname : undefined;
    network.connect(
      {
        ...options,
        hostname: first,
        ...(options.protocol === "https:" && servername !== undefined ? { servername } : {}),
      },
      (...result) => {
        if (result[0] === null || others.length === 0) callback(...result);
        else pinnedTo(network, others)(options, callback);
      },
    );
  };
}
