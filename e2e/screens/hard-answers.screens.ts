// An answer with everything an answer may hold, read from its head to its end.
import { expect, test } from "../support/journey.ts";
import { Album, everyLook, preferencesOf, Screen } from "./look.ts";

const fence = "```";
const answer = {
  en_US: [
    "# A heading of the first level\n\nText with **bold**, *italic*, ~~struck~~, `inline code`, H<sub>2</sub>O, E = mc<sup>2</sup> and <kbd>Ctrl</kbd>+<kbd>K</kbd>. A link to [the tide tables](https://tides.example/lyme-regis) and a bare one, https://weather.example/inshore-waters/lyme-bay-and-the-fleet/outlook?day=sunday&detail=full, for the outlook.[^1]",
    "## Alerts",
    "> [!NOTE]\n> High water is at 14:12.",
    "> [!TIP]\n> Leave an hour before.",
    "> [!IMPORTANT]\n> The bar has less than a metre.",
    "> [!WARNING]\n> Wind over tide makes short seas.",
    "> [!CAUTION]\n> The inner basin is closed on Sunday.",
    "### Lists\n\n- [x] charts\n- [ ] flares, `VHF` and a very long task that takes more than one line on any phone there is\n  1. first\n  2. second\n     - deeper still\n\n> A quotation\n>\n> > within a quotation.",
    "#### Formulas\n\nInline: $\\frac{a}{b} + \\sqrt{x^2 + y^2}$ and $\\ce{CO2 + H2O <=> H2CO3}$.\n\n$$\nf(x) = \\sum_{n=0}^{\\infty} \\frac{f^{(n)}(a)}{n!} (x-a)^n = f(a) + f'(a)(x-a) + \\frac{f''(a)}{2!}(x-a)^2 + \\frac{f'''(a)}{3!}(x-a)^3 + \\cdots + R_n(x)\n$$\n\n$$\n\\begin{pmatrix} 1 & 0 & \\textcolor{red}{2} \\\\ 0 & 1 & 3 \\end{pmatrix}\n$$",
    "| Port | Monday | Tuesday | Wednesday | Thursday | Friday | Remark |\n|---|--:|--:|:-:|:-:|---|---|\n| Lyme Regis | 3.9 | 4.0 | 4.1 | 4.2 | 4.2 | Averylongwordwithoutanyplacetobreakitinto |\n| West Bay | 3.8 | 3.9 | 4.0<br>4.1 | 4.1 | 4.1 | none |",
    `${fence}python\ndef height(at: datetime, port: str = "Lyme Regis", *, datum: Datum = Datum.CHART, corrected: bool = True) -> float:\n    """Metres above the datum."""\n    return sum(h.amplitude * cos(h.speed * hours(at) - h.phase) for h in HARMONICS[port])  # 37 of them\n${fence}`,
    `${fence}mermaid\nsequenceDiagram\n  Skipper->>Harbour master: May I leave?\n  Harbour master-->>Skipper: Not before ten.\n${fence}`,
    "## Right to left\n\nهذه فقرة بالعربية فيها كلمة English ورقم 42 و`code`.\n\n- عنصر أول\n- عنصر ثانٍ\n\n> اقتباس بالعربية\n\n| الميناء | الارتفاع |\n|---|---|\n| لايم ريجيس | 3.9 |\n\n---\n\nThe end, with <div>tags</div> that stay text.",
    "[^1]: Heights are above chart datum.",
  ],
  zh_CN: [
    "# 一级标题\n\n正文里有**粗体**、*斜体*、~~删除线~~、`行内代码`、H<sub>2</sub>O、E = mc<sup>2</sup> 和 <kbd>Ctrl</kbd>+<kbd>K</kbd>。链接：[潮汐表](https://tides.example/zhoushan)，以及裸链接 https://weather.example/zhoushan/outlook?day=sunday&detail=full 。[^1]",
    "## 提示块",
    "> [!NOTE]\n> 高潮在 14:12。",
    "> [!TIP]\n> 提前一小时出发。",
    "> [!IMPORTANT]\n> 沙坝水深不足一米。",
    "> [!WARNING]\n> 风流相逆，浪短而陡。",
    "> [!CAUTION]\n> 内港周日关闭。",
    "### 列表\n\n- [x] 海图\n- [ ] 信号弹、`VHF`，以及一条很长很长、在任何手机上都要占两行以上的待办事项\n  1. 第一\n  2. 第二\n     - 再深一层\n\n> 引用\n>\n> > 引用中的引用。",
    "#### 公式\n\n行内：$\\frac{a}{b} + \\sqrt{x^2 + y^2}$ 和 $\\ce{CO2 + H2O <=> H2CO3}$。\n\n$$\nf(x) = \\sum_{n=0}^{\\infty} \\frac{f^{(n)}(a)}{n!} (x-a)^n = f(a) + f'(a)(x-a) + \\frac{f''(a)}{2!}(x-a)^2 + \\frac{f'''(a)}{3!}(x-a)^3 + \\cdots + R_n(x)\n$$\n\n$$\n\\begin{pmatrix} 1 & 0 & \\textcolor{red}{2} \\\\ 0 & 1 & 3 \\end{pmatrix}\n$$",
    "| 港口 | 周一 | 周二 | 周三 | 周四 | 周五 | 备注 |\n|---|--:|--:|:-:|:-:|---|---|\n| 舟山 | 3.9 | 4.0 | 4.1 | 4.2 | 4.2 | Averylongwordwithoutanyplacetobreakitinto |\n| 沈家门 | 3.8 | 3.9 | 4.0<br>4.1 | 4.1 | 4.1 | 无 |",
    `${fence}python\ndef height(at: datetime, port: str = "舟山", *, datum: Datum = Datum.CHART, corrected: bool = True) -> float:\n    """相对于海图基准面的潮高，单位为米。"""\n    return sum(h.amplitude * cos(h.speed * hours(at) - h.phase) for h in HARMONICS[port])  # 共 37 个分潮\n${fence}`,
    `${fence}mermaid\nsequenceDiagram\n  船长->>港务长: 可以出港吗？\n  港务长-->>船长: 十点以后。\n${fence}`,
    "## 从右到左\n\nهذه فقرة بالعربية فيها كلمة English ورقم 42 و`code`.\n\n- عنصر أول\n- عنصر ثانٍ\n\n> اقتباس بالعربية\n\n| الميناء | الارتفاع |\n|---|---|\n| لايم ريجيس | 3.9 |\n\n---\n\n结尾：<div>标签</div>保持原样。",
    "[^1]: 潮高以海图基准面起算。",
  ],
};

everyLook((look) => {
  test("a hard answer", async ({ openAs, account, upstream, calls }) => {
    calls.expect({ answer: 1 });
    upstream.script({
      match: { user: "everything", kind: "answer" },
      answer: answer[look.locale].join("\n\n"),
    });
    const album = new Album(look, "hard-answer");
    const page = await openAs(account, { preferences: preferencesOf(look) });
    const chat = new Screen(page, look);
    await chat.send("everything");
    await chat.finished();
    await page.reload();
    await expect(chat.lastReply.getByRole("note")).toHaveCount(5);
    await chat.conversation.evaluate((scroller) => scroller.scrollTo({ top: 0, behavior: "instant" }));
    for (const part of ["head", "second", "third", "fourth", "fifth", "sixth"]) {
      await expect(chat.lastReply.getByRole("heading").first()).toBeAttached();
      await album.shoot(page, part);
      const goesOn = await chat.conversation.evaluate((scroller) => {
        const before = scroller.scrollTop;
        scroller.scrollBy({ top: scroller.clientHeight * 0.8, behavior: "instant" });
        return scroller.scrollTop > before;
      });
      if (!goesOn) break;
    }
    await page.close();
  });
});
