/** SQLSTATEs of a database that is starting, stopping, short of connections, or read-only after a fail-over, and of statements that took too long. */
const AWAY_STATES = new Set(['57014', '57P01', '57P02', '57P03', '53300', '55P03', '25006']);
/** Of one whose disk or memory is full, or whose disk fails. */
const FULL_STATES = new Set(['53100', '53200', '58030']);
const CONNECTION_EXCEPTION_CLASS = /^08/;
const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** What pg and its pool say themselves, without a code. */
const AWAY_TEXT =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|Query read timeout|not queryable/;

/** After these the connection is of no more use, though it may look alive: another one may reach the new primary. */
const KEEPS_CONNECTION = new Set(['57014', '55P03', '53300', ...FULL_STATES]);

/** Code and message of whatever was thrown. */
function read(error: unknown): { readonly code: string; readonly message: string } {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return {
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? message : '',
  };
}

/** Whether the database is away, stopping, read-only, full or overloaded: the same call is worth another try soon. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message } = read(error);
  return (
    AWAY_STATES.has(code) ||
    FULL_STATES.has(code) ||
    CONNECTION_EXCEPTION_CLASS.test(code) ||
    AWAY_CODES.has(code) ||
    AWAY_TEXT.test(message)
  );
}

/** Whether the database takes nothing more until its machine has room again. */
export const isDatabaseFull = (error: unknown): boolean => FULL_STATES.has(read(error).code);

/** Whether a connection that gave this error must not be used again. */
export function isConnectionLost(error: unknown): boolean {
  return isDatabaseAway(error) && !KEEPS_CONNECTION.has(read(error).code);
}

/** Whether no connection was tried: all that there may be are in use. */
export function isPoolBusy(error: unknown): boolean {
  return /timeout exceeded when trying to connect/.test(read(error).message);
}
