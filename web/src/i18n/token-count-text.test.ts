import { expect, test } from "vitest";
import accountEn from "./account.en_US.json";
import accountZh from "./account.zh_CN.json";
import { tokenCountText } from "./token-count-text.ts";

test("[AUTH-005] a verified phone gives 5 million free tokens, said so in both languages", () => {
  const [en, zh] = [tokenCountText(5_000_000, "en_US"), tokenCountText(5_000_000, "zh_CN")];
  expect(accountEn["account.phoneOffer"].replace("{{tokens}}", en)).toBe(
    "Verifying a phone number gives you 5 million free tokens.",
  );
  expect(accountZh["account.phoneOffer"].replace("{{tokens}}", zh)).toBe(
    "验证手机号即可获得 500万免费 token。",
  );
});
