/** Something the operator must put right: main.ts prints the message alone, without a stack, and exits. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StartError";
  }
}
