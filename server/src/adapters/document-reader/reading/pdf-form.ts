// What was written onto the pages of a PDF and into its form: it is drawn above them, and no part of their text.
import type { getDocumentProxy } from "unpdf";

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** What pdf.js tells of one thing on a page. */
interface Annotation {
  subtype?: string;
  annotationFlags?: number;
  contentsObj?: { str?: string };
  fieldType?: string | null;
  fieldName?: string;
  alternativeText?: string;
  fieldValue?: unknown;
  password?: boolean;
  checkBox?: boolean;
  radioButton?: boolean;
  exportValue?: string;
  buttonValue?: string | null;
  options?: readonly { exportValue: string; displayValue: string }[];
}

/** Hidden, and not to be seen. */
const unseen = 0x02 | 0x20;

/** A line for each filled field of a page, and for each note typed onto it; "" without any. */
export async function writtenText(pdf: Pdf, number: number): Promise<string> {
  const annotations = (await (await pdf.getPage(number)).getAnnotations()) as Annotation[];
  return annotations
    .flatMap((one) => ((one.annotationFlags ?? 0) & unseen ? [] : lineOf(one)))
    .map((line) => `${line}\n`)
    .join("");
}

function lineOf(one: Annotation): string[] {
  if (one.subtype === "FreeText") {
    const text = one.contentsObj?.str?.trim() ?? "";
    return text === "" ? [] : [text];
  }
  const value = one.subtype === "Widget" ? valueOf(one).trim() : "";
  const name = one.alternativeText || one.fieldName || "";
  if (value === "") return [];
  return [name === "" ? value : `${name}: ${value}`];
}

function valueOf(one: Annotation): string {
  const { fieldType, fieldValue: value } = one;
  if (fieldType === "Tx") return one.password !== true && typeof value === "string" ? value : "";
  if (fieldType === "Ch") {
    const chosen = [value].flat().filter((each) => typeof each === "string");
    return chosen
      .map((each) => one.options?.find(({ exportValue }) => exportValue === each)?.displayValue ?? each)
      .join(", ");
  }
  // Of the buttons of a form, those that are pressed.
  const own = one.checkBox === true ? one.exportValue : one.radioButton === true ? one.buttonValue : null;
  return own !== null && own !== undefined && own !== "Off" && value === own ? own : "";
}
