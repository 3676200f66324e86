// Takes what never runs out of the code of a library, so that the minifier finds the rest of it unused.
import { parseAst } from "vite";

/** What never runs, by the names that the library's own file has for it. */
export interface NeverRuns {
  /** Functions that are never called, or whose call has no effect where nothing else of this list runs. */
  functions: readonly string[];
  /** Functions that always give the same, and what that is. */
  answers: Readonly<Record<string, string>>;
  /** Variables that never change, and what they are. */
  constants: Readonly<Record<string, string>>;
  /** Properties that are always the same, and what they are. */
  properties: Readonly<Record<string, string>>;
  /** Expressions that are always the same, by their text, in which `$` stands for a name, and what they are. */
  expressions: Readonly<Record<string, string>>;
  /** Cases of `switch` that no value meets, by function. */
  cases: Readonly<Record<string, readonly number[]>>;
  /** What is set as the file loads and never read: `a.b` for `a.b = …` and every `a.b.c = …`. */
  assigned: readonly string[];
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}
interface Edit {
  start: number;
  end: number;
  text: string;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

const childrenOf = (node: Node): Node[] =>
  Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );

/** The code without it. Throws where a name of the list isn't found: another version may name it otherwise. */
export function leaveOutCode(code: string, never: NeverRuns): string {
  const edits: Edit[] = [];
  const found = new Set<string>();
  const textOf = ({ start, end }: Node): string => code.slice(start, end);
  const put = ({ start, end }: Pick<Node, "start" | "end">, text: string): void =>
    void edits.push({ start, end, text });
  const literals = new Map([
    ...never.functions.map((name): [string, string] => [name, "void 0"]),
    ...Object.entries(never.answers),
  ]);
  const constants = new Map(Object.entries(never.constants));
  const properties = new Map(Object.entries(never.properties));
  const expressions = new Map(Object.entries(never.expressions));

  function visit(node: Node, parent: Node | null, inFunction: string): void {
    switch (node.type) {
      case "FunctionDeclaration": {
        const name = textOf(node["id"] as Node);
        const literal = literals.get(name);
        if (literal !== undefined) {
          found.add(name);
          return put(node["body"] as Node, literal === "void 0" ? "{}" : `{ return ${literal}; }`);
        }
        return childrenOf(node).forEach((child) => visit(child, node, name));
      }
      case "CallExpression": {
        const literal = literals.get(textOf(node["callee"] as Node));
        if (literal === undefined || (node["arguments"] as Node[]).some(mayAct)) break;
        return put(node, `(${literal})`);
      }
      case "SwitchStatement":
        leaveOutCases(node, inFunction);
        break;
      case "SwitchCase":
        if (isLeftOut(node, inFunction)) return;
        break;
      case "AssignmentExpression": {
        const left = node["left"] as Node;
        if (left.type !== "Identifier" || !constants.has(textOf(left))) break;
        found.add(textOf(left));
        const right = node["right"] as Node;
        put({ start: left.start, end: right.start }, "");
        return visit(right, node, inFunction);
      }
      case "ExpressionStatement": {
        const [target = ""] = textOf(node).split(" = ", 1);
        const start = never.assigned.find((name) => `${target}.`.startsWith(`${name}.`));
        if (start === undefined) break;
        found.add(start);
        return put(node, "");
      }
      case "BinaryExpression": {
        const shape = textOf(node).replaceAll(/[A-Za-z_]\w*/g, "$");
        const constant = expressions.get(shape);
        if (constant === undefined) break;
        found.add(shape);
        return put(node, constant);
      }
      case "MemberExpression": {
        const name = textOf(node["property"] as Node);
        const constant = properties.get(name);
        if (node["computed"] === true || constant === undefined) break;
        found.add(name);
        return put(node, constant);
      }
      case "Identifier": {
        const constant = constants.get(textOf(node));
        if (constant === undefined || parent === null || isName(node, parent)) return;
        found.add(textOf(node));
        return put(node, constant);
      }
    }
    childrenOf(node).forEach((child) => visit(child, node, inFunction));
  }

  const isLeftOut = (node: Node, inFunction: string): boolean => {
    const value = (node["test"] as Node | null)?.["value"];
    return typeof value === "number" && never.cases[inFunction]?.includes(value) === true;
  };

  /** Variables that a case declares are the whole function's: they are declared without it too. */
  function leaveOutCases(node: Node, inFunction: string): void {
    let before: Node | null = null;
    for (const each of node["cases"] as Node[]) {
      const body = each["consequent"] as Node[];
      if (!isLeftOut(each, inFunction)) {
        before = each;
        continue;
      }
      if (before !== null && body.length > 0 && fallsThrough(before))
        throw new Error(`${inFunction} runs from a case into one that is left out`);
      found.add(`${inFunction} ${textOf(each["test"] as Node)}`);
      const names = body.flatMap(declaredIn);
      put(each, "");
      if (names.length > 0) put({ start: node.start, end: node.start }, `var ${names.join(", ")};\n`);
    }
  }

  const declaredIn = (node: Node): string[] =>
    node.type === "VariableDeclarator"
      ? [textOf(node["id"] as Node)]
      : node.type.startsWith("Function")
        ? []
        : childrenOf(node).flatMap(declaredIn);

  visit(parseAst(code) as unknown as Node, null, "");
  const wanted = [
    ...literals.keys(),
    ...constants.keys(),
    ...properties.keys(),
    ...expressions.keys(),
    ...never.assigned,
    ...Object.entries(never.cases).flatMap(([name, values]) => values.map((value) => `${name} ${value}`)),
  ];
  const missing = wanted.filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`not found in the code: ${missing.join(", ")}`);
  return applied(code, edits);
}

/** Whether evaluating it could change anything. */
function mayAct(node: Node): boolean {
  if (/^(Call|New|Assignment|Update|Await|Yield)/.test(node.type)) return true;
  return !node.type.startsWith("Function") && childrenOf(node).some(mayAct);
}

/** Whether the identifier is a name given here, not a value read. */
function isName(node: Node, parent: Node): boolean {
  if (parent.type === "MemberExpression") return parent["property"] === node && parent["computed"] !== true;
  if (parent.type === "Property") return parent["key"] === node && parent["value"] !== node;
  if (parent.type === "VariableDeclarator") return parent["id"] === node;
  return parent.type.startsWith("Function") || parent.type === "LabeledStatement";
}

function fallsThrough(node: Node): boolean {
  const last = (node["consequent"] as Node[]).at(-1);
  return last !== undefined && !/^(Break|Return|Throw|Continue)Statement$/.test(last.type);
}

function applied(code: string, edits: readonly Edit[]): string {
  let result = "";
  let at = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < at) throw new Error(`two parts that are left out overlap at ${start}`);
    result += code.slice(at, start) + text;
    at = end;
  }
  return result + code.slice(at);
}
