// The project's own lint rules, as a plugin of oxlint: oxlint.config.ts turns them on.
import { relative, sep } from "node:path";
import type { RuleTester } from "oxlint/plugins-dev";
import { isHeld, whyRefused } from "./arrows.ts";
import { beginsStatement, mayHoldSql } from "./sql-in-stores.ts";

type Rule = Extract<Parameters<RuleTester["run"]>[1], { createOnce: unknown }>;
type Context = Parameters<Rule["createOnce"]>[0];

/** The file being checked, as a path in the repository with slashes. */
const fileOf = ({ cwd, filename }: Context) => relative(cwd, filename).split(sep).join("/");

/** Every import, export from and import() goes along the arrows (ARCHITECTURE.md), however deep its file lies. */
const arrows: Rule = {
  createOnce(context) {
    const check = (source: { type: string; value?: unknown } | null) => {
      if (source === null || typeof source.value !== "string") return;
      const message = whyRefused(fileOf(context), source.value);
      if (message !== null) context.report({ message, node: source as never });
    };
    return {
      before: () => isHeld(fileOf(context)),
      ImportDeclaration: ({ source }) => check(source),
      ExportNamedDeclaration: ({ source }) => check(source),
      ExportAllDeclaration: ({ source }) => check(source),
      ImportExpression: ({ source }) => check(source),
      TSImportType: ({ source }) => check(source),
    };
  },
};

/** SQL is written in stores, the database's own folder and migrations. */
const sqlInStores: Rule = {
  createOnce(context) {
    const message = "SQL belongs into a …-store.ts of its feature (CONTRIBUTING.md).";
    return {
      before: () => !mayHoldSql(fileOf(context)),
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
        if (beginsStatement(callee.property.name)) context.report({ message, node });
      },
      TaggedTemplateExpression(node) {
        if (node.tag.type === "Identifier" && node.tag.name === "sql") context.report({ message, node });
      },
    };
  },
};

/** A journey asserts something: itself, or by a helper named expect…. (For unit tests vitest/expect-expect looks.) */
const journeyAsserts: Rule = {
  createOnce(context) {
    return {
      before: () => /^e2e\/.*\.spec\.ts$/.test(fileOf(context)),
      CallExpression(node) {
        if (node.callee.type !== "Identifier" || node.callee.name !== "test") return;
        const source = context.sourceCode.getText(node);
        if (!/\bexpect\w*[.(]/.test(source))
          context.report({ message: "This journey asserts nothing.", node });
      },
    };
  },
};

export default {
  meta: { name: "house" },
  rules: { arrows, "sql-in-stores": sqlInStores, "journey-asserts": journeyAsserts },
};
