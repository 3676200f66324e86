// Headers that tell browsers what our answers may be used for (wire-contract.md §1.3).

/**
 * Of every response. `publicUrl` is the address people use: only where it is https are browsers told to stay with https,
 * for this host alone, since the operator's other hosts are not ours to decide on.
 */
export function commonHeaders(publicUrl: string | null): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    ...(isHttps(publicUrl) ? { "strict-transport-security": "max-age=31536000" } : {}),
  };
}

const permissionsPolicy = (features: readonly string[]): string =>
  features.map((name) => `${name}=()`).join(", ");

const unusedFeatures = ["camera", "geolocation", "microphone", "payment", "usb"];

/** The Permissions-Policy of pages that show what strangers wrote. */
export const sandboxPermissions = permissionsPolicy([
  ...unusedFeatures,
  "accelerometer",
  "autoplay",
  "clipboard-read",
  "clipboard-write",
  "display-capture",
  "encrypted-media",
  "fullscreen",
  "gamepad",
  "gyroscope",
  "hid",
  "idle-detection",
  "magnetometer",
  "midi",
  "picture-in-picture",
  "publickey-credentials-get",
  "screen-wake-lock",
  "serial",
  "web-share",
  "xr-spatial-tracking",
]);

/** Of pages, beside their Content-Security-Policy. */
export function pageHeaders(publicUrl: string | null): Record<string, string> {
  return {
    "x-frame-options": "DENY",
    "permissions-policy": permissionsPolicy(unusedFeatures),
    // Browsers ignore it on plain http, with an error in the console.
    ...(isHttps(publicUrl) ? { "cross-origin-opener-policy": "same-origin" } : {}),
  };
}

function isHttps(publicUrl: string | null): boolean {
  return publicUrl?.startsWith("https:") === true;
}
