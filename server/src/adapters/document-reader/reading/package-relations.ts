// Which part of an Office package belongs to which other (Open Packaging Conventions).
import { posix } from "node:path";
import { attribute, readXml } from "./xml-parts.ts";
import type { ZipArchive } from "./zip-archive.ts";

export interface Relation {
  id: string;
  /** The last word of its type, such as "worksheet". */
  kind: string;
  /** The name of a part. */
  target: string;
}

/** Relations of a part, or of the package for "". Those that lead out of the package are left out. */
export async function relationsOf(archive: ZipArchive, part: string): Promise<Relation[]> {
  const folder = posix.dirname(part);
  const file = posix.join(folder, "_rels", `${posix.basename(part)}.rels`);
  const relations: Relation[] = [];
  if (!archive.has(file)) return relations;
  await readXml(archive, file, {
    open(name, attributes) {
      if (name !== "Relationship" || attribute(attributes, "TargetMode") === "External") return;
      const target = attribute(attributes, "Target") ?? "";
      relations.push({
        id: attribute(attributes, "Id") ?? "",
        kind: posix.basename(attribute(attributes, "Type") ?? ""),
        target: target.startsWith("/") ? target.slice(1) : posix.join(folder, target),
      });
    },
  });
  return relations;
}

/** The part with which a package begins. */
export async function mainPart(archive: ZipArchive, usual: string): Promise<string> {
  const main = (await relationsOf(archive, "")).find(({ kind }) => kind === "officeDocument");
  return main?.target ?? usual;
}
