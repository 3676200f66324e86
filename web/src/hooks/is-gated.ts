import type { Engine } from "../engine/engine.ts";

/**
 * Whether something is asked that has to be answered before the page goes on: the age, the phone, a captcha, a bot challenge.
 * No key opens anything over it, also while its code is still on its way.
 */
export function isGated({ site, captcha, challenge }: Engine): boolean {
  return (
    site.overlays.getState().gate !== null ||
    [captcha, challenge].some(({ store }) => store.getState().asked !== null)
  );
}
