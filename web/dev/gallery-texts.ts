// Replies that use much of what Markdown can say, in both languages.
export const thinking = `The user asks about the **lag of tides**. I should mention friction and the rotation of the earth.

1. The bulge would point at the moon.
2. The earth turns faster than the moon orbits.

So the answer is about $\\tau$ and friction.`;

export const richAnswer = `## The short answer

The earth turns under the tidal bulge and **drags it along**. Friction with the sea floor keeps the bulge from pointing straight at the moon, so high water comes *after* the moon has passed overhead.

- The force goes with the third power of distance: $F \\propto \\frac{2GMmr}{d^3}$
- The delay is called the *lunitidal interval*
- See [the tide tables](https://example.com/tides)

### A small table

| Port | Interval | Mean range | Character of the tide | Notes |
| --- | ---: | ---: | --- | --- |
| Brest | 3 h 48 min | 4.2 m | semidiurnal | the reference port of the French coast |
| Boston | 11 h 12 min | 2.9 m | semidiurnal | deep inlet |
| 上海 | 0 h 30 min | 2.3 m | mixed | 长江口的潮汐受径流影响 |

\`\`\`python
def lunitidal_interval(passage: float, high_water: float) -> float:
    """Hours from the passage of the moon to the next high water, wrapped to a tidal day of 24.84 hours."""
    return (high_water - passage) % 24.84
\`\`\`

$$
h(t) = \\sum_{i} A_i \\cos(\\omega_i t + \\varphi_i)
$$

> The sea obeys the moon, but takes its time.`;

export const longAnswer = `潮汐之所以**落后于月亮**，是因为地球自转带着潮汐隆起向前移动，而海底摩擦又使它不能立刻回到月亮正下方。这个时间差叫做“月潮间隙”（lunitidal interval），在不同的港口差别很大，从几十分钟到十几个小时不等。

### 主要原因

1. 地球自转比月球公转快得多，大约每 24 小时 50 分钟完成一个潮汐日。
2. 海盆的形状与深度决定了潮波的传播速度：$v = \\sqrt{gh}$。
3. 摩擦使能量耗散，使月球每年远离地球约 3.8 厘米。

| 港口 | 间隙 | 平均潮差 | 类型 |
| --- | --- | --- | --- |
| 上海 | 0 小时 30 分 | 2.3 米 | 不规则半日潮 |
| 青岛 | 4 小时 50 分 | 2.8 米 | 正规半日潮 |

使用 \`tide-tables\` 这样的工具可以查询具体的数值，例如：

\`\`\`bash
npx tide-tables --port shanghai --date 2026-03-15
\`\`\`

> 海洋听从月亮，但总要慢上一拍。`;

/** An answer that cites what a search found, and ends with bare links. */
export const citedAnswer = `High water follows the moon by some hours [citation:1], and how many depends on the coast [citation:2][citation:14]. 潮汐摩擦使潮峰偏离月下点[citation:1]，各地不同[citation:2]。Nobody wrote [citation:99].

- The **establishment of the port** is that delay [citation:2].
- 近海地形会放大它 [citation:14]。

https://tides.example/almanac/2026/high-water?port=brest#november

https://zh.example.org/wiki/%E6%BD%AE%E6%B1%90/%E6%9C%88%E7%90%83%E5%BC%95%E5%8A%9B/%E6%BD%AE%E6%B1%90%E6%91%A9%E6%93%A6/a-very-long-path-that-does-not-fit-on-one-line-of-the-column-whatever-happens

www.example.net

And that is all.
`;

const found = (cite_index: number, url: string, title: string, site_name: string | null) => ({
  cite_index,
  url,
  title,
  site_name,
  snippet: "",
  site_icon: null,
  published_at: 1_700_000_000,
  query_indexes: [0],
});

export const foundPages = [
  found(1, "https://tides.example/why", "Why high water is late", "Tide Almanac"),
  found(2, "https://ports.example/establishment", "Establishment of the port", null),
  found(14, "https://zh.example.org/wiki/x", "潮汐摩擦", "百科"),
];

/** A page as a model writes it. */
export const htmlPage = `<!doctype html>
<html>
<head>
<style>
  body { font-family: sans-serif; margin: 24px; }
  .bar { height: 24px; margin: 8px 0; background: teal; color: white; padding: 0 8px; line-height: 24px; }
</style>
</head>
<body>
<h1>High water</h1>
<div class="bar" style="width: 80%">Brest 03:42</div>
<div class="bar" style="width: 55%">Dover 11:05</div>
<button onclick="document.querySelector('h1').textContent = 'Low water'">Turn</button>
</body>
</html>`;
