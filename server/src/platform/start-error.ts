/** A problem that the operator must solve: the message alone is printed, without a stack, and the process exits. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StartError";
  }
}
