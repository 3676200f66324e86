// What stands on the screens that are photographed: real questions and answers in both languages.
import type { JourneyLocale } from "./texts.ts";

export interface ScreenContent {
  /** Titles of older chats, newest first. */
  titles: string[];
  question: string;
  thought: string;
  answer: string;
  title: string;
  /** A question whose answer is still being written. */
  longQuestion: string;
  longAnswer: string;
  longTitle: string;
  failingQuestion: string;
  /** A question that is asked twice: the first answer is long, the second does not come. */
  slowQuestion: string;
  /** What regenerating `question` brings. */
  shortAnswer: string;
  htmlQuestion: string;
  htmlAnswer: string;
  /** Models to choose from, the usual one first. */
  models: string[];
  diagramQuestion: string;
  diagramAnswer: string;
  /** Personas, the newest last; the last one greets. */
  personas: { name: string; greeting?: string; instructions: string }[];
  /** Something asked of the last one, and its answer. */
  personaQuestion: string;
  personaAnswer: string;
}

export const screenContent: Record<JourneyLocale, ScreenContent> = {
  en_US: {
    titles: [
      "Bread in a cold kitchen",
      "Reading a tide table",
      "SQL: newest row per group",
      "A week in the Dolomites",
      "Letter to the landlord",
      "Why the sky is dark at night",
    ],
    question: "How do I find the newest row of each group in SQL, and which way is fastest?",
    thought:
      "The reader wants a query and a judgement. Three usual ways: a window function, a lateral join and a correlated subquery. I should say when each one wins and show one index.",
    answer: [
      "There are three usual ways. With an index on `(group_id, created_at desc)` the **window function** is the one to start with.",
      "```sql\nselect *\nfrom (\n  select o.*, row_number() over (\n    partition by customer_id order by created_at desc\n  ) as place\n  from orders o\n) ranked\nwhere place = 1;\n```",
      "| Way | Few groups | Many groups |\n|---|---|---|\n| Window function | good | good |\n| Lateral join | best | fair |\n| Correlated subquery | fair | poor |",
      "1. **Measure first.** `explain analyze` tells whether the index is used.\n2. A lateral join reads $k$ rows for $k$ groups, so its cost is about $O(k \\log n)$.\n3. On ties, order by the key as well, or the answer changes from run to run.",
    ].join("\n\n"),
    title: "Newest row of each group",
    longQuestion: "Explain how the tides work, for someone who sails.",
    longAnswer:
      "## Two bulges\n\nThe moon pulls the near side of the sea more than the middle of the earth, and the middle more than the far side. So the water stands high on **both** sides, and the earth turns beneath it: two high waters in a little more than a day.\n\n## Springs and neaps\n\nAt new and full moon the sun pulls along the same line, and the range is",
    longTitle: "Tides for sailors",
    failingQuestion: "What will the weather be at the regatta?",
    slowQuestion: "Plan a week of sailing around the island, day by day.",
    shortAnswer:
      "Start with a **window function** over an index on `(group_id, created_at desc)`; reach for a lateral join when the groups are few and large.",
    htmlQuestion: "A small page that counts down to high water?",
    htmlAnswer:
      'Here it is. Press **Run** to try it:\n\n```html\n<!doctype html>\n<meta charset="utf-8">\n<style>body { font: 16px/1.6 sans-serif; margin: 2rem; } b { font-size: 3rem; }</style>\n<h1>High water</h1>\n<p><b id="left">12:00</b></p>\n<button onclick="left.textContent = \'11:59\'">Next minute</button>\n<script src="https://cdn.example/chart.js"></script>\n```\n\nThe chart needs a library from outside, which is not loaded here.',
    models: ["Everyday", "Large, slow and thorough (70B)", "Coder"],
    diagramQuestion: "Draw when to leave the harbour.",
    diagramAnswer:
      "```mermaid\nflowchart LR\n  A[Ebb] --> B{Wind over tide?}\n  B -->|yes| C[Wait in the harbour]\n  B -->|no| D[Cast off]\n```",
    personas: [
      { name: "Plain English editor", instructions: "Rewrite what you are given in short, plain sentences." },
      {
        name: "Devil's advocate for decisions",
        instructions: "Argue against what is proposed.",
      },
      { name: "Recipe scaler", instructions: "Scale recipes to the number of guests." },
      {
        name: "Harbour master",
        greeting:
          "Good morning! Tell me your draught and when you mean to sail, and I'll look at the tide for you.",
        instructions:
          "You are a patient harbour master. Ask for the draught and the day before you advise. Warn of wind over tide.",
      },
    ],
    personaQuestion: "1.8 m draught, tomorrow at noon.",
    personaAnswer:
      "At noon the ebb runs at its hardest over the bar, with little more than two metres of water. **Leave before ten**, or wait for the flood at four.",
  },
  zh_CN: {
    titles: [
      "冷厨房里也能发好的面包",
      "怎样看潮汐表",
      "SQL：每组最新一行",
      "多洛米蒂一周行程",
      "给房东的一封信",
      "夜空为什么是黑的",
    ],
    question: "SQL 里怎样取每个分组的最新一行？哪种写法最快？",
    thought:
      "读者想要一条查询和一个判断。常见写法有三种：窗口函数、lateral 连接和相关子查询。要说明各自适合的情形，并给出一个索引。",
    answer: [
      "常见的写法有三种。在 `(group_id, created_at desc)` 上建好索引以后，先从**窗口函数**写起。",
      "```sql\nselect *\nfrom (\n  select o.*, row_number() over (\n    partition by customer_id order by created_at desc\n  ) as place\n  from orders o\n) ranked\nwhere place = 1;\n```",
      "| 写法 | 分组少 | 分组多 |\n|---|---|---|\n| 窗口函数 | 好 | 好 |\n| lateral 连接 | 最好 | 一般 |\n| 相关子查询 | 一般 | 差 |",
      "1. **先测量。** `explain analyze` 会告诉你是否用到了索引。\n2. lateral 连接对 $k$ 个分组只读 $k$ 行，代价约为 $O(k \\log n)$。\n3. 时间相同的行要再按主键排序，否则每次结果可能不同。",
    ].join("\n\n"),
    title: "每个分组的最新一行",
    longQuestion: "给会驾帆船的人讲讲潮汐是怎么来的。",
    longAnswer:
      "## 两处隆起\n\n月球对近侧海水的引力大于对地心的引力，对地心的又大于对远侧的。因此海水在**两侧**都高起来，而地球在下面转动：一天多一点的时间里有两次高潮。\n\n## 大潮与小潮\n\n新月和满月时，太阳的引力与月球在同一条线上，潮差",
    longTitle: "写给航海者的潮汐",
    failingQuestion: "帆船赛那天天气怎么样？",
    slowQuestion: "帮我排一个绕岛航行一周的计划，按天列出。",
    shortAnswer:
      "先在 `(group_id, created_at desc)` 上建索引，用**窗口函数**来写；分组少而每组很大时，再考虑 lateral 连接。",
    htmlQuestion: "做一个高潮倒计时的小网页？",
    htmlAnswer:
      '写好了，点**运行**就能试：\n\n```html\n<!doctype html>\n<meta charset="utf-8">\n<style>body { font: 16px/1.6 sans-serif; margin: 2rem; } b { font-size: 3rem; }</style>\n<h1>高潮倒计时</h1>\n<p><b id="left">12:00</b></p>\n<button onclick="left.textContent = \'11:59\'">过一分钟</button>\n<script src="https://cdn.example/chart.js"></script>\n```\n\n图表要用外部的库，在这里不会加载。',
    models: ["日常", "大而慢、想得更周全的模型（70B）", "编程"],
    diagramQuestion: "画一张图：什么时候可以出港？",
    diagramAnswer:
      "```mermaid\nflowchart LR\n  A[退潮] --> B{风与流相逆？}\n  B -->|是| C[在港内等待]\n  B -->|否| D[起航]\n```",
    personas: [
      { name: "文字编辑", instructions: "把给出的文字改写成简短平实的句子。" },
      { name: "专门唱反调、帮你把重要决定想透的人", instructions: "针对提出的方案逐条反驳。" },
      { name: "菜谱换算", instructions: "按人数换算菜谱用量。" },
      {
        name: "港务长",
        greeting: "早上好！告诉我船的吃水和打算出港的时间，我来替你看潮水。",
        instructions: "你是一位有耐心的港务长。先问清吃水和日期再给建议，遇到风流相逆要提醒。",
      },
    ],
    personaQuestion: "吃水 1.8 米，明天中午出港。",
    personaAnswer:
      "中午正是落潮最急的时候，沙坝上水深只有两米多一点。**最好十点前出港**，否则等下午四点涨潮。",
  },
};
