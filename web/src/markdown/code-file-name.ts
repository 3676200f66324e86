const extensions: Record<string, string> = {
  bash: "sh",
  c: "c",
  "c++": "cpp",
  cpp: "cpp",
  cs: "cs",
  csharp: "cs",
  css: "css",
  dart: "dart",
  diff: "diff",
  dockerfile: "dockerfile",
  go: "go",
  golang: "go",
  html: "html",
  java: "java",
  javascript: "js",
  js: "js",
  json: "json",
  jsx: "jsx",
  kotlin: "kt",
  latex: "tex",
  lua: "lua",
  markdown: "md",
  md: "md",
  mermaid: "mmd",
  php: "php",
  python: "py",
  py: "py",
  r: "r",
  ruby: "rb",
  rb: "rb",
  rust: "rs",
  rs: "rs",
  scala: "scala",
  scss: "scss",
  sh: "sh",
  shell: "sh",
  sql: "sql",
  svg: "svg",
  swift: "swift",
  toml: "toml",
  ts: "ts",
  tsx: "tsx",
  typescript: "ts",
  vue: "vue",
  xml: "xml",
  yaml: "yaml",
  yml: "yml",
};

const hashedCharacters = 2000;

/** Name of a downloaded code file: the date and a 6-hex hash of the first 2000 characters (requirements 1§9). */
export function codeFileName(language: string, code: string, date: Date): string {
  const name = language.toLowerCase();
  const extension = Object.hasOwn(extensions, name) ? extensions[name] : undefined;
  return `${dayStamp(date)}-${shortHash(code)}.${extension ?? "txt"}`;
}

/** YYYYMMDD in local time. */
function dayStamp(date: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}${two(date.getMonth() + 1)}${two(date.getDate())}`;
}

/** FNV-1a over the first 2000 characters, folded to 24 bits: tells files apart, guards nothing. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < Math.min(text.length, hashedCharacters); at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (((hash >>> 24) ^ hash) & 0xffffff).toString(16).padStart(6, "0");
}
