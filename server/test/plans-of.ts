// How the database runs the statements of some work.
import { CompiledQuery, type RootOperationNode } from "kysely";
import type { Database, Queryable } from "../src/platform/database/database.ts";

/**
 * Does `work`, then asks the database for the plans of all its statements in their order. `measured`, on PostgreSQL alone:
 * runs each of them again, and the plan tells what that took.
 */
export async function plansOf(
  db: Database,
  work: (q: Queryable) => Promise<unknown>,
  { measured = false } = {},
): Promise<string[]> {
  const nodes: RootOperationNode[] = [];
  await work(
    db.kysely.withPlugin({
      transformQuery({ node }) {
        nodes.push(node);
        return node;
      },
      transformResult: async ({ result }) => result,
    }),
  );
  const explain =
    db.engine === "sqlite" ? "explain query plan " : measured ? "explain (analyze, buffers) " : "explain ";
  const executor = db.kysely.getExecutor();
  const plans: string[] = [];
  for (const node of nodes) {
    const query = executor.compileQuery(node, { queryId: "plan" });
    const { rows } = await db.kysely.executeQuery(
      CompiledQuery.raw(explain + query.sql, [...query.parameters]),
    );
    plans.push(rows.map((row) => Object.values(row as object).join(" ")).join("\n"));
  }
  return plans;
}
