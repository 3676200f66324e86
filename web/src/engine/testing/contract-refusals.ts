// The tables of refusals as the text of docs/wire-contract.md has them, for tests that hold the engine against them.

export interface ContractRefusal {
  status: number;
  code: number;
  msg: string;
  /** As they stand there: with `{params}`, without the remark whose choice they are. */
  english: string;
  chinese: string;
  /** What the client does, in the words of the contract. */
  client: string;
}

const plain = (cell: string): string => cell.replace(/\s*\(ours[^)]*\)/g, "").trim();

/** The rows of the one table of a section, as cells without the remarks. */
function tableOf(contract: string, section: string): string[][] {
  const [, text = ""] = contract.split(`### ${section} `);
  const [own = ""] = text.split(/\n#{2,3} /);
  return own
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(1)
    .map((line) => line.split("|").slice(1, -1).map(plain));
}

/** §18.2. Where a row says "as 24" or "the same" it has what that row has. */
export function streamRefusals(contract: string): ContractRefusal[] {
  const rows: ContractRefusal[] = [];
  for (const [number = "", msgs = "", english = "", chinese = "", client = ""] of tableOf(contract, "18.2")) {
    const code = Number(number);
    if (Number.isNaN(code) || msgs === "–") continue;
    const as = rows.find((row) => english === `as ${row.code}`);
    const same = client === "the same" ? rows.at(-1) : undefined;
    for (const msg of msgs.split(", ")) {
      rows.push({
        status: 200,
        code,
        msg,
        english: as?.english ?? english,
        chinese: as?.chinese ?? chinese,
        client: same?.client ?? client,
      });
    }
  }
  return rows;
}

/** §18.1, with what a stream call does where that is something of its own. */
export function globalRefusals(contract: string): ContractRefusal[] {
  const rows: ContractRefusal[] = [];
  for (const [status = "", code = "", msg = "", english = "", chinese = "", client = ""] of tableOf(
    contract,
    "18.1",
  )) {
    const same = client === "the same" ? rows.at(-1) : undefined;
    const own = client.split("stream: ")[1] ?? client;
    rows.push({
      status: Number(status),
      code: Number(code),
      msg,
      english,
      chinese,
      client: same?.client ?? own,
    });
  }
  return rows;
}

/** §18.8 of one call, but for what has no number. A row names its constants beside their numbers, where it has several. */
export function shareRefusals(contract: string, call: string): Omit<ContractRefusal, "chinese">[] {
  return tableOf(contract, "18.8")
    .filter(([calls = ""]) => calls.split(", ").includes(call))
    .flatMap(([, codes = "", msgs = "", english = "", , client = ""]) => {
      const numbers = codes.split(", ");
      return msgs.split(", ").flatMap((named, index) => {
        const own = numbers[index] ?? numbers[0];
        const [, code = own, msg = ""] = /^(?:(\d+) )?(\w+)$/.exec(named) ?? [];
        return msg === "" ? [] : [{ status: 200, code: Number(code), msg, english, client }];
      });
    });
}
