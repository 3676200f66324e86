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
