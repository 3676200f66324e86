const formatting = "b|strong|i|em|u|s|del|small|big|code|kbd|mark|font|span|sub|sup|center";
const tag = new RegExp(`</?(?:${formatting})(?:\\s[^<>]{0,200})?>`, "g");

/**
 * The source of a diagram without the tags that format words: models write them into labels, where they would be read as
 * text, since labels are no HTML here. `<br>` stays: it breaks lines there, too. In capitals they are types: `List<U>`.
 */
export function withoutFormatTags(source: string): string {
  return source.replace(tag, "");
}
