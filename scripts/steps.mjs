// What is being done and how long it took: one line a step.

/** 950 → "0.9 s", 83 000 → "1 min 23 s". */
export function duration(ms) {
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Prints what begins, does it, and prints how long it took on the same line.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  const start = Date.now();
  process.stdout.write(`${title} … `);
  try {
    const result = await work();
    process.stdout.write(`${duration(Date.now() - start)}\n`);
    return result;
  } catch (error) {
    process.stdout.write(`failed after ${duration(Date.now() - start)}\n`);
    throw error;
  }
}
