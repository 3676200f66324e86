// File name extensions that uploads accept, in lower case (wire-contract.md §12.5).
const GROUPS = [
  "pdf doc docx odt rtf txt md log",
  "epub mobi azw3 fb2",
  "png jpg jpeg svg gif webp bmp apng ico avif",
  "xls xlsx ods csv tsv tab",
  "ppt pptx odp",
  "c h cc cpp hpp cs java kt scala go rs swift m py rb php pl lua r jl js mjs cjs jsx ts tsx vue svelte dart sql",
  "sh bash zsh bat ps1 ipynb",
  "html htm xml xhtml tex rst adoc json jsonl",
  "yaml yml toml ini conf cfg env properties gradle",
];

export const EXTENSIONS: readonly string[] = GROUPS.flatMap((group) => group.split(" "));
