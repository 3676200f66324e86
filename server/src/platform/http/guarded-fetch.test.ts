// Guarded fetching against a network that notices: no spelling of a private address, no name, no redirect leads there.
import { isIPv4 } from "node:net";
import type { IncomingMessage, ServerResponse } from "node:http";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  openStandInNetwork,
  PUBLIC_V4,
  PUBLIC_V6,
  type StandInNetwork,
} from "../../../test/stand-in-network.ts";
import { heldBytes } from "../../../test/held-bytes.ts";
import { createGuardedFetch, type FetchLimits, type FetchRefused } from "./guarded-fetch.ts";
import { systemNetwork } from "./guarded-network.ts";
import { isPublicAddress } from "./public-address.ts";

const limits: FetchLimits = { bytes: 64 * 1024, longer: "cut", ms: 5000, accept: "text/html" };
const never = new AbortController().signal;

let network: StandInNetwork;
let serve: (request: IncomingMessage, response: ServerResponse) => void;
beforeAll(async () => {
  network = await openStandInNetwork((request, response) => serve(request, response));
});
afterAll(() => network.close());
beforeEach(() => {
  network.names.clear();
  network.names.set("site.com", [[PUBLIC_V4]]);
  network.asked.length = 0;
  network.dialled.length = 0;
  network.dead.clear();
  serve = (_request, response) => response.end("hello");
});

const get = (address: string, more: Partial<FetchLimits> = {}, signal = never) =>
  createGuardedFetch(network)(address, { ...limits, ...more }, signal);
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => "fetched",
    (error: FetchRefused) => error.reason ?? error.name,
  );

const privateV4 = [
  ["this machine", "127.0.0.1"],
  ["this machine, elsewhere", "127.8.9.10"],
  ["any", "0.0.0.0"],
  ["a home network", "192.168.1.1"],
  ["a private network", "10.1.2.3"],
  ["another private network", "172.16.5.4"],
  ["carrier's", "100.64.0.1"],
  ["metadata", "169.254.169.254"],
  ["metadata of Alibaba", "100.100.100.200"],
  ["metadata of Oracle", "192.0.0.192"],
  ["metadata of Azure", "168.63.129.16"],
  ["benchmarks", "198.18.0.1"],
  ["multicast", "224.0.0.1"],
  ["broadcast", "255.255.255.255"],
] as const;

const octets = (address: string) => address.split(".").map(Number);
const number = (address: string) => octets(address).reduce((sum, octet) => sum * 256 + octet, 0);
const wide = (text: string) =>
  text.replace(/[0-9]/gu, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
const hexPair = (address: string) => {
  const [a = 0, b = 0, c = 0, d = 0] = octets(address);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
};

/** Every way in which browsers and libraries have taken an IPv4 address. */
const spellings: Record<string, (address: string) => string> = {
  dotted: (address) => address,
  "with a last dot": (address) => `${address}.`,
  decimal: (address) => String(number(address)),
  hexadecimal: (address) => `0x${number(address).toString(16)}`,
  "hexadecimal in capitals": (address) => `0X${number(address).toString(16).toUpperCase()}`,
  octal: (address) => `0${number(address).toString(8)}`,
  "octal parts": (address) =>
    octets(address)
      .map((octet) => `0${octet.toString(8)}`)
      .join("."),
  "padded octal parts": (address) =>
    octets(address)
      .map((octet) => `000${octet.toString(8)}`)
      .join("."),
  "hexadecimal parts": (address) =>
    octets(address)
      .map((octet) => `0x${octet.toString(16)}`)
      .join("."),
  "mixed parts": (address) =>
    octets(address)
      .map((octet, index) => (index % 2 === 0 ? `0x${octet.toString(16)}` : octet))
      .join("."),
  "three parts": (address) => {
    const [a, b, c = 0, d = 0] = octets(address);
    return `${a}.${b}.${c * 256 + d}`;
  },
  "two parts": (address) => {
    const [a, b = 0, c = 0, d = 0] = octets(address);
    return `${a}.${(b * 256 + c) * 256 + d}`;
  },
  "percent signs": (address) => address.replace(/[0-9]/gu, (digit) => `%3${digit}`),
  "wide digits": wide,
  "circled digits": (address) =>
    address.replace(/[1-9]/gu, (digit) => String.fromCodePoint(0x245f + Number(digit))),
  "digits of mathematics": (address) =>
    address.replace(/[0-9]/gu, (digit) => String.fromCodePoint(0x1d7ce + Number(digit))),
  "raised digits": (address) =>
    address.replace(
      /[0-9]/gu,
      (digit) => "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"[Number(digit)] ?? "",
    ),
  "digits of Arabic": (address) =>
    address.replace(/[0-9]/gu, (digit) => String.fromCodePoint(0x660 + Number(digit))),
  "hidden hyphens": (address) => address.replaceAll(".", "\u00ad."),
  "two last dots": (address) => `${address}..`,
  "ideographic dots": (address) => address.replaceAll(".", "\u3002"),
  "wide dots": (address) => address.replaceAll(".", "\uff0e"),
  mapped: (address) => `[::ffff:${address}]`,
  "mapped in hexadecimal": (address) => `[::ffff:${hexPair(address)}]`,
  "mapped in full": (address) => `[0:0:0:0:0:FFFF:${hexPair(address)}]`,
  "mapped with zeros": (address) => `[0000:0000:0000:0000:0000:ffff:${address}]`,
  compatible: (address) => `[::${address}]`,
  translated: (address) => `[::ffff:0:${address}]`,
  NAT64: (address) => `[64:ff9b::${address}]`,
  "local NAT64": (address) => `[64:ff9b:1::${address}]`,
  "6to4": (address) => `[2002:${hexPair(address)}::]`,
  Teredo: (address) => `[2001:0:${hexPair(address)}::]`,
  ISATAP: (address) => `[fe80::5efe:${address}]`,
};

const privateV6 = [
  "::",
  "::1",
  "0:0:0:0:0:0:0:1",
  "0000:0000:0000:0000:0000:0000:0000:0001",
  "fe80::1",
  "FE80::abcd",
  "febf::1",
  "fec0::1",
  "fc00::1",
  "fd00:ec2::254",
  "fdff:ffff::1",
  "ff02::1",
  "ff0e::1",
  "100::1",
  "2001:db8::1",
  "2001:2::1",
  "2001:10::1",
  "2001:20::1",
  "3fff::1",
  "5f00::1",
  "4000::1",
];

const metadataNames = [
  "localhost",
  "LOCALHOST",
  "localhost.",
  "ip6-localhost",
  "metadata.google.internal",
  "127.0.0.1.nip.com",
  "intranet",
  "printer.local",
  "l\u24deca\u24d0lhost",
  "xn--intranet-9za.com",
];

const otherUrls = [
  "file:///etc/passwd",
  "FILE:///etc/passwd",
  "gopher://site.com/_x",
  "ftp://site.com/",
  "data:text/html,hello",
  "javascript:alert(1)",
  "ws://site.com/",
  "unix:/var/run/docker.sock",
  "http://user@site.com/",
  "http://user:pass@site.com/",
  "http://:pass@site.com/",
  "http://site.com@127.0.0.1/",
  "http://127.0.0.1:80@site.com/",
  "http://site.com:8080/",
  "http://site.com:22/",
  "http://site.com:0/",
  "http://site.com:6379/",
  "https://site.com:8443/",
  "http://[::1%25lo]/",
  "http://[fe80::1%25eth0]/",
  "http://[::1",
  "http://",
  "http:///etc/passwd",
  "//site.com/",
  "/etc/passwd",
  "",
  "site.com",
  "http://256.256.256.256/",
  "http://1.2.3.4.5/",
  "http://exa mple/",
];

const literals = privateV4.flatMap(([what, address]) =>
  Object.entries(spellings).map(([how, spell]) => [`${what}, ${how}`, spell(address)] as const),
);
const traps: (readonly [string, string])[] = [
  ...literals.map(([what, host]) => [what, `http://${host}/latest/meta-data/`] as const),
  ...privateV6.map((address) => [`IPv6 ${address}`, `https://[${address}]/`] as const),
  ...otherUrls.map((address) => [`the URL ${address}`, address] as const),
];

describe("a guarded fetch", () => {
  it("has at least 300 traps", () => {
    expect(new Set(traps.map(([, url]) => url)).size).toBeGreaterThanOrEqual(300);
  });

  it.each(traps)("does not reach %s", async (_what, url) => {
    const before = network.trapped();
    expect(["url", "address", "network"]).toContain(await reasonOf(get(url)));
    expect(network.dialled).toEqual([]);
    expect(network.trapped()).toBe(before);
  });

  it.each(traps.filter(([, url]) => url.includes("://")))(
    "does not reach %s by the system's own network either",
    async (_what, url) => {
      let dialled = 0;
      const dial = () => {
        dialled += 1;
        throw new Error("dialled");
      };
      // Names are not looked up: these have none, or do not get so far.
      const system = { ...systemNetwork, connect: dial, resolve: async () => [] };
      expect(["url", "address"]).toContain(await reasonOf(createGuardedFetch(system)(url, limits, never)));
      expect(dialled).toBe(0);
    },
  );

  it.each(metadataNames)("does not reach what the name %s stands for", async (name) => {
    const asked = new URL(`http://${name}/`).hostname;
    for (const address of ["127.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1", "fe80::1%eth0"]) {
      network.names.set(asked, [[address]]);
      expect(await reasonOf(get(`http://${name}/`))).toBe("address");
    }
    expect(network.dialled).toEqual([]);
  });

  it.each([
    "site.test",
    "a.site.example",
    "site.invalid",
    "printer.local",
    "db.internal",
    "router.lan",
    "x.onion",
    "h.home.arpa.",
    "localhost",
    "a.LOCALHOST",
  ])("does not even ask for the name %s", async (name) => {
    expect(await reasonOf(get(`http://${name}/`))).toBe("address");
    expect(network.asked).toEqual([]);
  });

  it("takes the public ones of a name's addresses, and only these", async () => {
    network.names.set("both.com", [["127.0.0.1", PUBLIC_V4, "10.0.0.1", PUBLIC_V6]]);
    network.dead.add(PUBLIC_V4);
    expect((await get("http://both.com/")).body.toString()).toBe("hello");
    expect(network.dialled).toEqual([PUBLIC_V4, PUBLIC_V6]);
  });

  it("asks for a name once, so that a second answer is not believed", async () => {
    network.names.set("rebinds.com", [[PUBLIC_V4], ["127.0.0.1"]]);
    expect((await get("http://rebinds.com/")).body.toString()).toBe("hello");
    expect(network.asked).toEqual(["rebinds.com"]);
    expect(network.dialled).toEqual([PUBLIC_V4]);
    expect(await reasonOf(get("http://rebinds.com/"))).toBe("address");
  });

  const targets = [
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://[::ffff:169.254.169.254]/",
    "http://[::ffff:7f00:1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[2002:7f00:1::]/",
    "http://0177.0.0.1/",
    "http://0x7f.1/",
    "http://127.0.0.1./",
    "http://%ef%bc%91%ef%bc%92%ef%bc%97.0.0.1/",
    "http://inside.com./",
    "http://inside.com/",
    "file:///etc/passwd",
    "http://site.com:6379/",
    "http://user:pass@site.com/",
    "//localhost/x",
    "https://metadata.google.internal/",
  ];
  it.each([301, 302, 303, 307, 308].flatMap((status) => targets.map((target) => [status, target] as const)))(
    "does not follow a redirect %i to %s",
    async (status, target) => {
      for (const name of ["inside.com", "inside.com.", "localhost", "metadata.google.internal"])
        network.names.set(name, [["10.0.0.1"]]);
      serve = (_request, response) => response.writeHead(status, { location: target }).end();
      expect(["url", "address"]).toContain(await reasonOf(get("http://site.com/")));
      expect(network.dialled).toEqual([PUBLIC_V4]);
    },
  );

  it("follows three redirects and not a fourth", async () => {
    serve = (request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end("there");
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    };
    const there = await get("http://site.com/3");
    expect([there.url.href, there.body.toString()]).toEqual(["http://site.com/0", "there"]);
    expect(await reasonOf(get("http://site.com/4"))).toBe("redirects");
    // Each hop is resolved and checked anew.
    expect(network.asked).toHaveLength(4 + 4);
  });

  it("does not follow what a page says about itself", async () => {
    serve = (_request, response) =>
      response
        .writeHead(200, { refresh: "0; url=http://127.0.0.1/" })
        .end('<meta http-equiv="refresh" content="0; url=http://127.0.0.1/">');
    await get("http://site.com/");
    expect(network.dialled).toEqual([PUBLIC_V4]);
  });

  it("sends no cookie, no credentials and nothing of who asks, at redirects neither", async () => {
    const heard: IncomingMessage["headers"][] = [];
    serve = (request, response) => {
      heard.push(request.headers);
      if (request.url === "/") response.writeHead(302, { location: "/next", "set-cookie": "a=1" }).end();
      else response.end("ok");
    };
    await get("http://site.com/");
    expect(heard.map((headers) => Object.keys(headers).toSorted())).toEqual(
      [1, 2].map(() => ["accept", "accept-encoding", "connection", "host", "user-agent"]),
    );
  });

  it("takes 80 and 443 for both schemes", async () => {
    for (const url of ["http://site.com:443/", "https://site.com:80/", "https://site.com/"])
      expect((await get(url)).body.toString()).toBe("hello");
  });
});

describe("the bounds of a guarded fetch", () => {
  const packed = {
    identity: (bytes: Buffer) => bytes,
    gzip: (bytes: Buffer) => gzipSync(bytes),
    deflate: (bytes: Buffer) => deflateSync(bytes),
  };
  const answering = (bytes: Buffer, encoding: string) => {
    serve = (_request, response) => {
      response.on("error", () => {});
      response.writeHead(200, { "content-encoding": encoding, "content-type": "text/plain" }).end(bytes);
    };
  };

  it.each(Object.entries(packed))(
    "cut or refuse what is longer, as it is unpacked: %s",
    async (encoding, pack) => {
      answering(pack(Buffer.from("short")), encoding);
      expect(await get("http://site.com/")).toMatchObject({
        body: Buffer.from("short"),
        cut: false,
        contentType: "text/plain",
      });
      answering(pack(Buffer.alloc(8 * 1024 * 1024, "a")), encoding);
      const cut = await get("http://site.com/");
      expect([cut.body.length, cut.cut]).toEqual([limits.bytes, true]);
      expect(await reasonOf(get("http://site.com/", { longer: "refuse" }))).toBe("size");
    },
  );

  it("hold for what grows a thousandfold, in memory too", async () => {
    const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024, "a"));
    answering(bomb, "gzip");
    const before = heldBytes();
    const { body, cut } = await get("http://site.com/", { bytes: 1024 * 1024 });
    expect([body.length, cut]).toEqual([1024 * 1024, true]);
    expect(heldBytes() - before).toBeLessThan(8 * 1024 * 1024);
  });

  it("hold for what unpacks to nothing", async () => {
    // Empty stored blocks without end.
    const block = Buffer.from([0x00, 0x00, 0x00, 0xff, 0xff]);
    const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
    answering(Buffer.concat([head, ...Array.from({ length: 40_000 }, () => block)]), "gzip");
    expect(await reasonOf(get("http://site.com/"))).toBe("size");
  });

  it.each([
    ["an unknown packing", "zstd", Buffer.from("x")],
    ["one that holds much to unpack little", "br", brotliCompressSync("x")],
    ["two packings", "gzip, gzip", gzipSync(gzipSync("x"))],
    ["what is not packed as it says", "gzip", Buffer.from("not gzip at all")],
    ["the name of a method", "constructor", Buffer.from("x")],
  ])("refuse %s", async (_what, encoding, bytes) => {
    answering(bytes, encoding);
    expect(await reasonOf(get("http://site.com/"))).toBe("encoding");
  });

  it("end an answer that never comes, one that never ends, and a name that is never found", async () => {
    serve = () => {};
    expect(await reasonOf(get("http://site.com/", { ms: 100 }))).toBe("time");
    serve = (_request, response) => void response.write("a");
    expect(await reasonOf(get("http://site.com/", { ms: 100 }))).toBe("time");
    // A byte now and then keeps nobody waiting for longer.
    serve = (request, response) => {
      const dripping = setInterval(() => response.write("a"), 5);
      request.once("close", () => clearInterval(dripping));
    };
    expect(await reasonOf(get("http://site.com/", { ms: 100 }))).toBe("time");
    const hanging = createGuardedFetch({ ...network, resolve: () => new Promise(() => {}) });
    expect(await reasonOf(hanging("http://slow.com/", { ...limits, ms: 100 }, never))).toBe("time");
  });

  it("end with whoever asks", async () => {
    const asker = new AbortController();
    serve = () => asker.abort();
    expect(await reasonOf(get("http://site.com/", {}, asker.signal))).toBe("AbortError");
    expect(await reasonOf(get("http://site.com/", {}, asker.signal))).toBe("AbortError");
  });

  it("hold for headers", async () => {
    serve = (_request, response) => response.writeHead(200, { "x-long": "a".repeat(20_000) }).end();
    expect(await reasonOf(get("http://site.com/"))).toBe("network");
  });
});

describe("public addresses", () => {
  it("are those that everybody can reach", () => {
    for (const address of [PUBLIC_V4, PUBLIC_V6, "1.1.1.1", "8.8.8.8", "2001:4860:4860::8888", "223.5.5.5"])
      expect(isPublicAddress(address)).toBe(true);
    for (const address of ["", "localhost", "1.2.3", "0x7f.1", "[::1]", "::1%lo", "2606:2800::1%eth0"])
      expect(isPublicAddress(address)).toBe(false);
  });

  it("never carry another address that is not, in whatever prefix of IPv6", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...privateV4),
        fc.constantFrom(...Object.values(spellings)),
        ([, address], spell) => {
          const host = URL.parse(`http://${spell(address)}/`)?.hostname.replace(/^\[|\]$/gu, "") ?? "";
          expect(isPublicAddress(host)).toBe(false);
        },
      ),
    );
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const first = Number.parseInt(/^[0-9a-f]{1,4}/iu.exec(address)?.[0] ?? "0", 16);
        if (first < 0x2000 || first > 0x3fff || address.startsWith("::"))
          expect(isPublicAddress(address)).toBe(false);
      }),
    );
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isIPv4(address)).toBe(true);
        expect(isPublicAddress(`::ffff:${address}`)).toBe(false);
      }),
    );
  });
});
