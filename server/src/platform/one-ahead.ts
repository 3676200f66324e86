/**
 * The same, each asked for while the one before it is worked on. Whoever ends early waits until what was asked for has come;
 * an error comes in its turn.
 */
export async function* oneAhead<T>(source: AsyncGenerator<T, void>): AsyncGenerator<T> {
  const ask = (): Promise<IteratorResult<T, void>> => {
    const asked = source.next();
    asked.catch(() => {});
    return asked;
  };
  let next = ask();
  try {
    for (let now = await next; now.done !== true; now = await next) {
      next = ask();
      yield now.value;
    }
  } finally {
    await source.return();
  }
}
