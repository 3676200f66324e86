// The Content-Security-Policy of the product's own pages (wire-contract.md §1.3, §6.7).

/** Origins outside that the operator has chosen to load something from, each once or more often. None by default. */
export interface OutsideSources {
  scripts: readonly string[];
  styles: readonly string[];
  /** Where calls may go. */
  calls: readonly string[];
  frames: readonly string[];
  images: readonly string[];
}

/** The hashes of the one style and the one script that stand in a page itself. */
export interface InlineParts {
  style: string;
  script: string;
}

/** Nothing inline but what is named by its hash, nothing foreign but what is named, framed by nobody. */
export function pagePolicy(
  { scripts, styles, calls, frames, images }: OutsideSources,
  inline: InlineParts | null = null,
): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...(inline === null ? [] : [inline.script]), ...new Set(scripts)].join(" "),
    ["style-src 'self'", ...(inline === null ? [] : [inline.style]), ...new Set(styles)].join(" "),
    ["img-src 'self' data: blob:", ...new Set(images)].join(" "),
    "font-src 'self' data:",
    ["connect-src 'self'", ...new Set(calls)].join(" "),
    "worker-src 'self'",
    "manifest-src 'self'",
    ["frame-src 'self'", ...new Set(frames)].join(" "),
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
