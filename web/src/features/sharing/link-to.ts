/** The whole link to a page of ours. */
export function linkTo(path: string): string {
  return new URL(path, window.location.origin).href;
}
