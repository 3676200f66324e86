// Where the piece of the puzzle that was made last belongs: journeys read it where nobody else can, in the server's data.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Pixels from the left. */
export function slidePlace(dataDir: string): number {
  const db = new DatabaseSync(join(dataDir, "plumb.db"), { readOnly: true });
  try {
    const row = db.prepare("select x from slide_captchas order by expires_at desc, rowid desc limit 1").get();
    if (row === undefined) throw new Error("no puzzle was made");
    return Number(row["x"]);
  } finally {
    db.close();
  }
}
