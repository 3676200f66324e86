/** Languages whose files end as the languages are called. */
const same = new Set(
  "c cpp cs css dart diff dockerfile go html java js json jsx lua md php py r rb rs scala scss sh sql svg swift toml ts tsx vue xml yaml yml".split(
    " ",
  ),
);

const others: Record<string, string> = {
  bash: "sh",
  "c++": "cpp",
  csharp: "cs",
  golang: "go",
  javascript: "js",
  kotlin: "kt",
  latex: "tex",
  markdown: "md",
  mermaid: "mmd",
  python: "py",
  ruby: "rb",
  rust: "rs",
  shell: "sh",
  typescript: "ts",
};

const hashedCharacters = 2000;

/** Name of a downloaded code file: the date and a 6-hex hash of the first 2000 characters (requirements 1§9). */
export function codeFileName(language: string, code: string, date: Date): string {
  const name = language.toLowerCase();
  const other = Object.hasOwn(others, name) ? others[name] : undefined;
  return `${dayStamp(date)}-${shortHash(code)}.${other ?? (same.has(name) ? name : "txt")}`;
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
