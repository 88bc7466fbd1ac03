/** A reason not to start, in one clear sentence for the operator; `main` prints it and exits with 1. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
