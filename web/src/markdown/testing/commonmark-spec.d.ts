declare module "commonmark-spec" {
  /** The examples of the CommonMark specification; a tab is written as →. */
  export const tests: readonly { number: number; section: string; markdown: string; html: string }[];
}
