/** The reason of an aborted signal as the AbortError the port promises. */
export function abortError(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  if (reason instanceof Error && reason.name === "AbortError") return reason;
  return new DOMException("The generation was aborted.", "AbortError");
}
