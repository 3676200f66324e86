/** A failure that the user can do something about: only its message is shown. */
export class Failure extends Error {
  name = "Failure";

  /** @param {string} message @param {number} [status] the exit status */
  constructor(message, status = 1) {
    super(message);
    this.status = status;
  }
}

const reasons = [
  [/ENOSPC|no space left/i, "The disk is full. Free some space and run the command again."],
  [
    /EACCES|EPERM|permission denied/i,
    "A file or folder may not be written. Does the project folder belong to you?",
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|network/i,
    "The package registry cannot be reached. Check the network (or the proxy and registry settings of npm) and run the command again.",
  ],
  [/E40[134]\b/, "The package registry refused a package. Check the registry settings of npm."],
  [
    /EINTEGRITY/,
    "A package differs from the one that was pinned. Empty npm's cache (npm cache clean --force) and try again.",
  ],
  [
    /EUSAGE|can only install packages when/,
    "package.json and package-lock.json disagree. Run npm install and commit both.",
  ],
  [/signal SIGKILL|heap out of memory|ENOMEM/i, "The memory ran out."],
];

/** The sentence that helps, for the output of a failed program; undefined when nothing is known. */
export function reasonIn(output) {
  return reasons.find(([pattern]) => pattern.test(output))?.[1];
}
