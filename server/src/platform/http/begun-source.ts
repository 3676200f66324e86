// A source whose first item is there already: what fails before it can still be answered with an error.

/** Pulls the first item of `source` and returns the whole of it. Rejects with what the source threw. */
export async function begunSource<T>(source: AsyncIterable<T>): Promise<AsyncIterableIterator<T, void>> {
  const iterator = source[Symbol.asyncIterator]();
  let first: IteratorResult<T, unknown> | null = await iterator.next();
  const plain = ({ done, value }: IteratorResult<T, unknown>): IteratorResult<T, void> =>
    done === true ? { done, value: undefined } : { done: false, value: value as T };
  const begun: AsyncIterableIterator<T, void> = {
    [Symbol.asyncIterator]: () => begun,
    async next() {
      const result = first ?? (await iterator.next());
      first = null;
      return plain(result);
    },
    async return() {
      await iterator.return?.();
      return { done: true, value: undefined };
    },
  };
  return begun;
}
