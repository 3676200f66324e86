// Loaded into a server ahead of it: the look-up of `slow.example.com` takes seconds and finds nothing, so that a page there
// is being read for that long. No test asks for a page outside, and the names of tests are not even looked up.
import dns from "node:dns/promises";
import { syncBuiltinESMExports } from "node:module";
import { setTimeout } from "node:timers/promises";

const { lookup } = dns;

async function slowLookup(...asked: Parameters<typeof lookup>): Promise<unknown> {
  if (asked[0] !== "slow.example.com") return lookup(...asked);
  await setTimeout(3_000);
  throw new Error("no such name");
}

Object.assign(dns, { lookup: slowLookup });
syncBuiltinESMExports();
