/** Refusals of the management API in Auth0's words. */

const NAMES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  429: 'Too Many Requests',
} as const;

export class ManagementProblem extends Error {
  readonly status: keyof typeof NAMES;
  readonly code: string;

  constructor(status: keyof typeof NAMES, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  get body(): object {
    return {
      statusCode: this.status,
      error: NAMES[this.status],
      message: this.message,
      errorCode: this.code,
    };
  }
}

export const insufficientScope = (scope: string): ManagementProblem =>
  new ManagementProblem(403, 'insufficient_scope', `Insufficient scope, expected any of: ${scope}`);
