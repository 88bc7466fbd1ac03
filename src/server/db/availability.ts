/** SQLSTATEs of a database that is starting, stopping, short of connections, or read-only after a fail-over, and of statements that took too long. */
const AWAY_STATES = new Set(['57014', '57P01', '57P02', '57P03', '53300', '55P03', '25006']);
/** SQLSTATEs of a full disk or memory, or a failing disk. */
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
/** Messages of pg and its pool that have no code. */
const AWAY_TEXT =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|Query read timeout|not queryable/;

/** All other codes make the connection useless, even if it looks alive: another one may reach the new primary. */
const KEEPS_CONNECTION = new Set(['57014', '55P03', '53300', ...FULL_STATES]);

/** Returns code and message of any thrown value. */
function read(error: unknown): { readonly code: string; readonly message: string } {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return {
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? message : '',
  };
}

/**
 * Returns whether the database is unavailable, stopping, read-only, full or overloaded, so that a retry makes sense.
 */
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

/** Returns whether the database accepts no writes until its machine has space again. */
export const isDatabaseFull = (error: unknown): boolean => FULL_STATES.has(read(error).code);

/** Returns whether a connection must not be used after this error. */
export function isConnectionLost(error: unknown): boolean {
  return isDatabaseAway(error) && !KEEPS_CONNECTION.has(read(error).code);
}

/**
 * Returns whether no other row can be tried either. A statement that takes too long, also behind a pooler that has no
 * limit of its own, says nothing about the next row.
 */
export function endsRound(error: unknown): boolean {
  return isConnectionLost(error) && !read(error).message.includes('Query read timeout');
}

/** Returns whether no connection was tried, because all of the pool are in use. */
export function isPoolBusy(error: unknown): boolean {
  return /timeout exceeded when trying to connect/.test(read(error).message);
}

/** Returns whether a row of another transaction has the value that must be unique (PostgreSQL's unique_violation). */
export const isDuplicate = (error: unknown): boolean => read(error).code === '23505';
