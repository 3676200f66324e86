const begins = /^\S.*ERROR: {2}deadlock detected$/;
/** Further lines of a message begin with a tab. */
const details = /^(?:\t|\S.*DETAIL: )/;

/** The details of each deadlock in the log of a PostgreSQL server: who waited for whom, with which statements. */
export function deadlocksIn(log: string): string[] {
  const lines = log.split("\n");
  return lines.flatMap((line, at) => {
    if (!begins.test(line)) return [];
    const further = lines.slice(at + 1);
    const end = further.findIndex((next) => !details.test(next));
    return further.slice(0, end === -1 ? undefined : end).join("\n");
  });
}
