import { expect, test } from "vitest";
import { readBanner } from "./banner-rules.ts";

const item = { show: true, type: "info", closable: true, content: { en_US: "Hello" } };
const banner = { id: "b1", items: [item] };

test("[NOTE-003][NOTE-004][NOTE-005][NOTE-006][NOTE-007][NOTE-008][NOTE-009][NOTE-010] a banner with every field, and with the fewest", () => {
  expect(readBanner(banner)).toEqual(banner);
  expect(readBanner({ ...banner, id: 7 })?.id).toBe(7);
  const full = {
    ...item,
    showCondition: "authenticated",
    showDeployEnv: "production",
    showByAppId: ["plumb-web"],
    type: "error",
    content: { en_US: "See [here](https://example.org)", zh_CN: "见[这里](https://example.org)" },
  };
  expect(readBanner({ id: 1, items: [item, full] })?.items[1]).toEqual(full);
  const nulls = { ...item, showCondition: null, showDeployEnv: null, showByAppId: null };
  expect(readBanner({ id: 1, items: [nulls] })).not.toBeNull();
});

test.each([
  [{ items: [item] }],
  [{ id: "", items: [item] }],
  [{ id: true, items: [item] }],
  [{ id: 1 }],
  [{ id: 1, items: [] }],
  [{ id: 1, items: item }],
  [{ id: 1, items: [item, null] }],
  [{ id: 1, items: [{ ...item, show: "yes" }] }],
  [{ id: 1, items: [{ ...item, show: undefined }] }],
  [{ id: 1, items: [{ ...item, showCondition: "guest" }] }],
  [{ id: 1, items: [{ ...item, showDeployEnv: "beta" }] }],
  [{ id: 1, items: [{ ...item, showByAppId: "plumb-web" }] }],
  [{ id: 1, items: [{ ...item, showByAppId: [1] }] }],
  [{ id: 1, items: [{ ...item, type: "success" }] }],
  [{ id: 1, items: [{ ...item, closable: 1 }] }],
  [{ id: 1, items: [{ ...item, content: "Hello" }] }],
  [{ id: 1, items: [{ ...item, content: { en_US: 1 } }] }],
  [[]],
  [null],
  ["banner"],
])("[NOTE-011] %j counts for nothing", (value) => {
  expect(readBanner(value)).toBeNull();
});
