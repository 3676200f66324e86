// docs/wire-contract.md as data: its index of calls (§5), and the heads of the calls' blocks.
import { readFileSync } from "node:fs";

export interface ContractCall {
  /** Section of the call's block, such as "11.2". */
  section: string;
  method: string;
  path: string;
  auth: string;
  proof: string;
  rate: string;
}

type Marks = Partial<Pick<ContractCall, "auth" | "proof" | "rate">>;

/** The whole document. */
export const contractText = () =>
  readFileSync(new URL("../../docs/wire-contract.md", import.meta.url), "utf8");

const contract = () => contractText().split("\n");

/** The rows of §5. */
export function contractIndex(): ContractCall[] {
  const lines = contract();
  const from = lines.findIndex((line) => line.startsWith("## 5. "));
  const to = lines.findIndex((line) => line.startsWith("## 6. "));
  return lines.slice(from, to).flatMap((line) => {
    const [, section = "", call = "", auth = "", proof = "", rate = ""] = line
      .split("|")
      .map((cell) => cell.trim());
    const [method, path] = call.split(" ");
    return method === undefined || path === undefined ? [] : [{ section, method, path, auth, proof, rate }];
  });
}

const methods = "(?:GET|POST)(?:, (?:GET|POST))*";
const heading = /^(#{2,3}) (\d+(?:\.\d+)?)\.? (.*)$/;
const callHeading = new RegExp(`^(${methods}) (/\\S+)`);
/** A row of a table of calls, or a call named at the beginning of a paragraph or list item. */
const callLine = new RegExp(`^(?:\\| |- \`|\`)(${methods}) (/[^\\s?\`]+)`);
const sameAs = /^As (\d+\.\d+) with/;

/**
 * The calls with a block of their own from §6 on, with the marks that hold for them: their own, else those of the block
 * they say they are like, else those of their section.
 */
export function contractBlocks(): ContractCall[] {
  const calls: ContractCall[] = [];
  const ofSection = new Map<string, Marks>();
  let section = "";
  let open: ContractCall[] = [];
  let number = 0;
  for (const line of contract()) {
    const head = heading.exec(line);
    if (head !== null) {
      section = head[2] ?? "";
      number = Number.parseInt(section, 10);
      const call = callHeading.exec(head[3] ?? "");
      open = number < 6 || call === null ? [] : named(call, section, marksAbove(section, ofSection));
      calls.push(...open);
      continue;
    }
    if (number < 6) continue;
    if (line.startsWith("auth ")) {
      const marks = marksIn(line);
      if (open.length === 0) ofSection.set(section, marks);
      for (const call of open) Object.assign(call, marks);
      continue;
    }
    const like = sameAs.exec(line);
    const first = calls.find((call) => call.section === like?.[1]);
    if (first !== undefined) {
      const { auth, proof, rate } = first;
      for (const call of open) Object.assign(call, { auth, proof, rate });
      continue;
    }
    const call = callLine.exec(line);
    // Pages and files (§6.7) are no calls.
    if (call === null || call[2]?.startsWith("/static/")) continue;
    calls.push(...named(call, section, { ...marksAbove(section, ofSection), ...marksIn(line) }));
  }
  return calls;
}

function named([, found = "", path = ""]: RegExpExecArray, section: string, marks: Marks): ContractCall[] {
  return found.split(", ").map((method) => ({
    section,
    method,
    path: path.split("?")[0] ?? "",
    auth: "",
    proof: "",
    rate: "",
    ...marks,
  }));
}

function marksAbove(section: string, ofSection: ReadonlyMap<string, Marks>): Marks {
  return { ...ofSection.get(section.split(".")[0] ?? ""), ...ofSection.get(section) };
}

const rateClasses = "none|public|guest|code|login|api|chat|repeat|upload|share|export|delete";

function marksIn(line: string): Marks {
  const auth = /\bauth (none|bearer|optional|metrics token)\b/.exec(line)?.[1];
  const proof = /\bproof (none|guest|user:\w+)/.exec(line)?.[1];
  const rate = new RegExp(`\\brate (${rateClasses})\\b`).exec(line)?.[1];
  return {
    ...(auth === undefined ? {} : { auth }),
    ...(proof === undefined ? {} : { proof }),
    ...(rate === undefined ? {} : { rate }),
  };
}
