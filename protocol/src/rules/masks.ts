// How people's addresses and numbers are shown where they are not to be read whole.

/** `ab*****z@x.com`: first two and last character of the local part, the first alone when it has three or fewer. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const local = email.slice(0, at);
  const shown =
    local.length <= 3 ? `${local.slice(0, 1)}*****` : `${local.slice(0, 2)}*****${local.slice(-1)}`;
  return shown + email.slice(at);
}

/** `138****5678`: first three and last four digits. */
export function maskMobile(mobile: string): string {
  return `${mobile.slice(0, 3)}****${mobile.slice(-4)}`;
}
