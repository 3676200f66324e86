const words =
  "the server keeps every reply in a log so that a reader who comes back later sees the same text and nothing twice while the writer goes on without waiting for anyone who is slow or gone".split(
    " ",
  );
const han =
  "服务器把每一段回复都写进日志读者稍后回来仍能看到同样的文字而写入者不必等待任何一个慢的人也不会丢失一个字";

/** A long answer as models write them: prose, lists, tables, code and quotations in two languages; no formulas. */
export function answerText(length: number): string {
  const random = createRandom(7);
  const parts: string[] = [];
  let total = 0;
  for (let section = 1; total < length; section++) {
    const part = sectionText(section, random);
    parts.push(part);
    total += part.length;
  }
  return parts.join("").slice(0, length);
}

function sectionText(section: number, random: () => number): string {
  const sentence = (count: number) =>
    Array.from({ length: count }, () => words[Math.floor(random() * words.length)]).join(" ");
  const chinese = (count: number) =>
    Array.from({ length: count }, () => han[Math.floor(random() * han.length)]).join("");
  const items = Array.from(
    { length: 6 },
    (_, index) => `- **${sentence(2)}**: ${sentence(10)} \`call_${index}()\`\n`,
  ).join("");
  const steps = Array.from(
    { length: 5 },
    (_, index) => `${index + 1}. ${sentence(12)}, *${sentence(2)}*.\n`,
  ).join("");
  const rows = Array.from(
    { length: 6 },
    (_, index) => `| ${sentence(2)} | ${index * 7} | ${sentence(4)} |\n`,
  ).join("");
  const code = Array.from(
    { length: 14 },
    (_, index) => `  const value${index} = compute(${index}, "${sentence(3)}");\n`,
  ).join("");
  return (
    `## ${section}. ${sentence(4)}\n\n` +
    `${sentence(30)}, **${sentence(3)}** ${sentence(25)} [${sentence(2)}](https://example.org/${section}) ${sentence(20)}.\n\n` +
    `${chinese(60)}，**${chinese(6)}**，${chinese(50)}\`${sentence(1)}\`${chinese(30)}。\n\n` +
    `${items}\n### ${sentence(3)}\n\n${sentence(40)}.\n\n${steps}\n` +
    `| Name | Count | Note |\n| --- | ---: | --- |\n${rows}\n` +
    `\`\`\`\nfunction part${section}() {\n${code}}\n\`\`\`\n\n> ${sentence(20)}\n\n${sentence(35)}.\n\n---\n\n`
  );
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
}
