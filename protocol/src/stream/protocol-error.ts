/** A stream that breaks the contract of wire-contract.md §4: the offending event has changed nothing and can be skipped. */
export class ProtocolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ProtocolError";
  }
}
