// What one build of the page consists of; the build itself writes it into the worker (web/dev/service-worker.ts).

export interface PageBuild {
  /** Another one for every difference in what follows, or in the files themselves. */
  id: string;
  /** The script that the page names first: by it a page and the page in a cache are known to be of this build. */
  entry: string;
  /** Paths of what is kept at once, each named by what is in it. */
  assets: readonly string[];
  /** Paths of what the page needs besides, under names that stay. */
  files: readonly string[];
}
