// The platform's fetch for a library that would read an answer of any length into memory.

/**
 * A fetch whose answers break off after so many bytes, counted as they are unpacked: reading such an answer rejects and its
 * connection is closed. The time is the caller's matter, by the `signal` of the options.
 */
export function fetchUpTo(most: number): (url: string, options: object) => Promise<Response> {
  return async (url, options) => {
    const answer = await fetch(url, options);
    if (answer.body === null) return answer;
    let bytes = 0;
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        bytes += piece.byteLength;
        if (bytes > most) controller.error(new Error(`an answer is longer than ${most} bytes`));
        else controller.enqueue(piece);
      },
    });
    return new Response(answer.body.pipeThrough(bounded), answer);
  };
}
