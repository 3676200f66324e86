// The lint rules: what is always wrong, the house's habits, and the arrows of ARCHITECTURE.md (scripts/lint/).
import { defineConfig } from "oxlint";

type Rules = NonNullable<Parameters<typeof defineConfig>[0]["rules"]>;

const turnedOff = (names: readonly string[]): Rules => Object.fromEntries(names.map((name) => [name, "off"]));

/** What the default set refuses and this house does, each with its reason. */
const rulesOff = [
  // Parts are objects of functions, which need no `this`.
  "typescript/unbound-method",
  // Maps of nodes are copied, and strings spread into code points, on purpose.
  "typescript/no-misused-spread",
  // A set or map that changes while it is walked is copied first.
  "unicorn/no-useless-spread",
  // Generators that only wait and end.
  "require-yield",
  // Matrices and properties expect by case; that a test expects at all is checked below.
  "vitest/no-conditional-expect",
];

/** The React compiler's rules (there is no compiler here), and what axe judges better on the real page. */
const screenRulesOff = [
  "react/set-state-in-effect",
  "react/purity",
  "react/refs",
  "jsx-a11y/no-autofocus",
  "jsx-a11y/prefer-tag-over-role",
  "jsx-a11y/no-noninteractive-tabindex",
  "jsx-a11y/click-events-have-key-events",
  "jsx-a11y/no-noninteractive-element-interactions",
];

export default defineConfig({
  plugins: ["typescript", "unicorn", "oxc", "vitest", "import"],
  jsPlugins: ["./scripts/lint/house-plugin.ts"],
  categories: { correctness: "error" },
  options: { typeAware: true },
  ignorePatterns: ["node_modules", "dist", ".runtime", ".extras", ".cache", "data", "web/public"],
  rules: {
    eqeqeq: ["error", "always", { null: "ignore" }],
    "no-var": "error",
    "prefer-const": "error",
    "no-empty": "error",
    "typescript/no-explicit-any": "error",
    "typescript/ban-ts-comment": "error",
    "typescript/consistent-type-imports": ["error", { disallowTypeAnnotations: false }],
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/await-thenable": "error",
    "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    "vitest/no-focused-tests": "error",
    "vitest/no-disabled-tests": "error",
    // Helpers that assert are named expect…; a property without a counterexample is an assertion, too.
    "vitest/expect-expect": ["error", { assertFunctionNames: ["expect", "expect*", "fc.assert"] }],
    "house/journey-asserts": "error",
    "typescript/require-array-sort-compare": ["error", { ignoreStringArrays: true }],
    "vitest/valid-expect": ["error", { maxArgs: 2 }],
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "house/arrows": "error",
    "house/sql-in-stores": "error",
    ...turnedOff(rulesOff),
  },
  overrides: [
    {
      files: ["web/src/**/*.tsx"],
      plugins: ["typescript", "unicorn", "oxc", "vitest", "import", "react", "jsx-a11y"],
      rules: {
        "react/rules-of-hooks": "error",
        "react/exhaustive-deps": "error",
        ...turnedOff(screenRulesOff),
      },
    },
  ],
});
