import { expect, it } from "vitest";
import { styleFor } from "./style-for.ts";

it.each([
  ["rules of other classes go", ".a{color:red}.b{color:blue}.b .a{color:lime}", ".a{color:red}"],
  ["rules by element, name and attribute stay", "p,#x,[data-y]{color:red}", "p,#x,[data-y]{color:red}"],
  [
    "a rule stays whole where one of its selectors can fit, in groups and conditions too",
    "@media print{.a,.b{color:red}}:where(.b,.a) p{color:red}",
    "@media print{.a,.b{color:red}}:where(.b,.a) p{color:red}",
  ],
  ["a rule against another class stays", ".a:not(.b){color:red}", ".a:not(.b){color:red}"],
  [
    "variables that nothing reads go, those that only such variables read too",
    ":root{--one:1px;--two:var(--one);--three:3px;--four:4px}.a{width:var(--three)}.a{height:var(--four,0)}.b{width:var(--two)}",
    ":root{--three:3px;--four:4px}.a{width:var(--three);height:var(--four,0)}",
  ],
  [
    "animations that nothing runs go",
    "@keyframes in{to{top:0}}@keyframes out{to{top:9px}}.a{animation:in 1s}.b{animation:out 1s}",
    "@keyframes in{to{top:0}}.a{animation:1s in}",
  ],
])("of a style sheet: %s", (_what, css, left) => {
  expect(styleFor('<p class="a c">text</p>', css)).toBe(left);
});
