/** A fault the person at the keyboard can mend: shown as one sentence, without a stack. */
export class SetupError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
