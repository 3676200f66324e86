/** Signs that the macros of one formula may write, their arguments included. KaTeX takes about a second for so many. */
const mostWrittenSigns = 10_000;

export interface Sign {
  text: string;
}

/** What KaTeX lets a macro ask for. */
export interface MacroContext {
  /** The arguments that follow, each as its signs from the last to the first. */
  consumeArgs: (count: number, delimiters?: readonly string[][]) => Sign[][];
  future: () => Sign;
  popToken: () => Sign;
}

/** A macro as `\def` and its kin keep it: its signs from the last to the first, with `#` and a digit for an argument. */
interface Definition {
  tokens: readonly Sign[];
  numArgs: number;
  delimiters?: readonly string[][];
  /** `\let` keeps a command that is no macro so. */
  unexpandable?: boolean;
}

/**
 * Macros for one formula, to which it may add its own. KaTeX counts how often macros are expanded, but not what they write:
 * three that each repeat their argument eight times made a formula of 144 characters hang the page for minutes. Here those
 * that the formula defines have `mostWrittenSigns` together; one that would write more throws.
 */
export function boundedMacros<Macros extends object>(known: Macros): Macros {
  let room = mostWrittenSigns;
  const take = (signs: number) => {
    room -= signs;
    if (room < 0) throw new RangeError("The macros of a formula write too much.");
  };
  return new Proxy(known, {
    get: (macros, name) => {
      const found: unknown = Reflect.get(macros, name);
      return isDefinition(found) ? (context: MacroContext) => expand(found, context, take) : found;
    },
  });
}

function isDefinition(value: unknown): value is Definition {
  return (
    typeof value === "object" &&
    value !== null &&
    "tokens" in value &&
    !("unexpandable" in value && value.unexpandable === true)
  );
}

/** What a macro writes, with its arguments in their places; `take` is told how much that is before it is made. */
function expand(
  { tokens, numArgs, delimiters }: Definition,
  context: MacroContext,
  take: (signs: number) => void,
) {
  const args = context.consumeArgs(numArgs, delimiters);
  take(tokens.length);
  const written: Sign[] = [];
  for (let at = tokens.length - 1; at >= 0; at--) {
    const sign = tokens[at];
    const behind = tokens[at - 1];
    if (numArgs === 0 || sign?.text !== "#" || behind === undefined) {
      if (sign !== undefined) written.push(sign);
      continue;
    }
    at--;
    // `##` is a sign for a macro that is defined within.
    const signs = behind.text === "#" ? [behind] : args[Number(behind.text) - 1];
    if (signs === undefined) throw new SyntaxError("A macro has no such argument.");
    take(signs.length);
    written.push(...signs.toReversed());
  }
  return { tokens: written.reverse(), numArgs: 0 };
}
