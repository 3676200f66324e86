/** The path of a share's page (requirements 1§2). */
export function sharePath(shareId: string): string {
  return `/share/${encodeURIComponent(shareId)}`;
}
