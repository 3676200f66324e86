/** Resolves once `holds` does; looks at every painted frame. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => requestAnimationFrame(resolve));
}
