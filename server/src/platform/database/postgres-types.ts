// PostgreSQL's wide numbers as JavaScript numbers: all of ours fit in 53 bits (wire-contract.md §1.8).
import pg from "pg";

const wideNumbers = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

/** Parsers of one connection: bigint and numeric (sums of bigint) become Number, the rest stays pg's. */
export const typesAsNumbers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    wideNumbers.has(oid) && format !== "binary"
      ? Number
      : pg.types.getTypeParser(oid, format as "text")) as typeof pg.types.getTypeParser,
};
