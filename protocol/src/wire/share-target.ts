// What other apps share with the installed one (wire-contract.md §6.7).

/** Where the system posts it. */
export const SHARE_TARGET_PATH = "/share-target";
/** The query of the page that has something to take from its service worker; behind it, the id of what. */
export const SHARED_QUERY = "shared=";
/** The same where there was no worker to keep it. */
export const SHARE_LOST_QUERY = "shared=lost";
