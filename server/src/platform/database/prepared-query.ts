// Queries of the hot path: built and compiled once, run with other values each time. Building one again costs more than
// SQLite takes to run it.
import type { Compilable, CompiledQuery } from "kysely";
import type { Queryable } from "./database.ts";

/** Stands for a value while the query is built. */
class Placeholder {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/**
 * A function that runs the query that `build` makes. `build` is called once for each database engine; it must give every
 * value by `value(name)`, and its text must depend on nothing else.
 */
export function preparedQuery<Values extends object, Row>(
  build: (q: Queryable, value: <K extends keyof Values>(name: K) => Values[K]) => Compilable<Row>,
): (q: Queryable, values: Values) => Promise<Row[]> {
  const compiled = new Map<unknown, CompiledQuery<Row>>();
  return async (q, values) => {
    const engine = q.getExecutor().adapter.constructor;
    let query = compiled.get(engine);
    if (query === undefined) {
      query = build(q, (name) => new Placeholder(name) as never).compile();
      compiled.set(engine, query);
    }
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    );
    const { rows } = await q.executeQuery<Row>({ ...query, parameters });
    return rows;
  };
}
