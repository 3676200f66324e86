// What the demo model says, in both languages. It says plainly that it is no AI.

export interface DemoTexts {
  thought: string;
  short: (question: string) => string;
  long: (question: string) => string;
}

/** How to connect a model, each way under its comment. */
const connect = (comments: { any: string; ollama: string; file: string }): string => `\`\`\`bash
# DeepSeek
MODEL_BASE_URL=https://api.deepseek.com/beta MODEL_API_KEY=… MODEL_NAME=deepseek-chat npm start
# ${comments.any}
MODEL_BASE_URL=https://example.com/v1 MODEL_API_KEY=… npm start
# ${comments.ollama}
ollama run qwen3
# ${comments.file}
MODEL_PATH=/models/model.gguf npm start
\`\`\``;

const CONNECT_EN = connect({
  any: "any OpenAI-compatible endpoint",
  ollama: "Ollama on this machine: found by itself",
  file: "a GGUF file, run inside the server",
});

const CONNECT_ZH = connect({
  any: "任何兼容 OpenAI 的接口",
  ollama: "本机的 Ollama：会自动发现",
  file: "GGUF 文件，在服务器进程内运行",
});

const DIAGRAM_EN = `\`\`\`mermaid
flowchart LR
  Browser -- question --> Server
  Server -- prompt --> Model[Your model]
  Model -- words --> Log[(Log on disk)]
  Log --> Browser
\`\`\``;

const DIAGRAM_ZH = `\`\`\`mermaid
flowchart LR
  浏览器 -- 问题 --> 服务器
  服务器 -- 提示 --> 模型[你的模型]
  模型 -- 文字 --> 日志[(磁盘上的日志)]
  日志 --> 浏览器
\`\`\``;

const CODE = `\`\`\`typescript
/** Adds up the lengths of all words. */
export function totalLength(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.length, 0);
}
\`\`\``;

const ENGLISH: DemoTexts = {
  thought:
    "I have no model behind me, so there is nothing to think about. A real model would show its reasoning here, " +
    "step by step, before it answers. I only show how that looks: the thought grows, its time is counted, " +
    "and then the answer begins.",
  short: (question) =>
    `**I am not an AI.** I am the demo model of this server: no model is connected yet, so I cannot answer “${question}”.\n\n` +
    `To get real answers, connect a model and start again:\n\n${CONNECT_EN}\n\n` +
    "Ask *show me everything* to see what can be displayed here.",
  long: (question) =>
    `# What you would see here\n\n**I am not an AI.** I am the demo model: a fixed text, sent word by word. ` +
    `Your question, “${question}”, was stored like any other, and this reply survives a reload, ` +
    "a lost connection and even the death of the server.\n\n" +
    "## Text and lists\n\nText can be **bold**, *slanted*, ~~struck out~~ or `code`. Lists can be nested:\n\n" +
    "1. Open another tab while this grows.\n   - Reload it: nothing is lost.\n   - Stop it: what came is kept.\n" +
    "2. Rename the chat in the list on the left.\n3. Change the theme in the settings.\n\n" +
    "> A quotation stands apart from the rest.\n\n" +
    "## A table\n\n| Model | Runs where | Setting |\n|---|---|---|\n| DeepSeek | its own API | `MODEL_BASE_URL` |\n" +
    "| Ollama | this machine | none, it is found |\n| GGUF file | inside the server | `MODEL_PATH` |\n\n" +
    `## Code\n\n${CODE}\n\n` +
    "## Mathematics\n\nInline, $e^{i\\pi} + 1 = 0$, and on its own line:\n\n" +
    "$$\n\\int_{-\\infty}^{\\infty} e^{-x^2}\\,dx = \\sqrt{\\pi}\n$$\n\n" +
    `## A diagram\n\n${DIAGRAM_EN}\n\n## Connect a model\n\n${CONNECT_EN}\n`,
};

const CHINESE: DemoTexts = {
  thought:
    "我背后没有模型，所以没有什么可以思考的。真正的模型会在这里一步一步写出推理过程，然后再回答。" +
    "我只是演示它的样子：思考的文字逐渐增加，时间被记录下来，接着开始回答。",
  short: (question) =>
    `**我不是人工智能。**我是这台服务器的演示模型：目前还没有连接任何模型，因此无法回答“${question}”。\n\n` +
    `要得到真正的回答，请连接一个模型并重新启动：\n\n${CONNECT_ZH}\n\n` +
    "发送“演示全部”，可以看到这里能显示的内容。",
  long: (question) =>
    `# 这里能显示什么\n\n**我不是人工智能。**我是演示模型：一段固定的文字，一个词一个词地发出来。` +
    `你的问题“${question}”已经像其他问题一样保存好了；即使刷新页面、断开网络，甚至服务器进程中断，这条回复也会继续。\n\n` +
    "## 文字与列表\n\n文字可以**加粗**、*倾斜*、~~划掉~~，也可以是 `代码`。列表可以嵌套：\n\n" +
    "1. 在文字增加的时候打开另一个标签页。\n   - 刷新：什么都不会丢失。\n   - 停止：已经出现的内容会保留。\n" +
    "2. 在左侧列表中给对话改名。\n3. 在设置中切换主题。\n\n" +
    "> 引用的文字与其他内容分开显示。\n\n" +
    "## 表格\n\n| 模型 | 运行在哪里 | 设置 |\n|---|---|---|\n| DeepSeek | 官方接口 | `MODEL_BASE_URL` |\n" +
    "| Ollama | 本机 | 无需设置，自动发现 |\n| GGUF 文件 | 服务器进程内 | `MODEL_PATH` |\n\n" +
    `## 代码\n\n${CODE}\n\n` +
    "## 数学公式\n\n行内公式 $e^{i\\pi} + 1 = 0$，以及单独一行：\n\n" +
    "$$\n\\int_{-\\infty}^{\\infty} e^{-x^2}\\,dx = \\sqrt{\\pi}\n$$\n\n" +
    `## 图表\n\n${DIAGRAM_ZH}\n\n## 连接模型\n\n${CONNECT_ZH}\n`,
};

/** The texts in the language of the question: Chinese when it holds Han characters. */
export function demoTexts(question: string): DemoTexts {
  return /\p{Script=Han}/u.test(question) ? CHINESE : ENGLISH;
}
