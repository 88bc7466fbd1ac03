import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../http/app-error.ts';

/** argon2id as OWASP and security R1 ask: 19 MiB, two passes, one lane. */
const OWASP: HashingCost = { memoryCost: 19_456, timeCost: 2 };
const ARGON2ID = 2;
const QUEUE_LIMIT = 50;
/** A longer wait is refused with "try again" (performance S8). */
const WAIT_LIMIT_MS = 1000;

export type HashingCost = { readonly memoryCost: number; readonly timeCost: number };

export type Hashing = {
  hash(password: string): Promise<string>;
  /** Unknown accounts pass `null` and cost the same as known ones. */
  verify(passwordHash: string | null, password: string): Promise<boolean>;
};

/** Password hashing: at most one at a time for each core, and a short queue. @throws AppError UNAVAILABLE */
export function createHashing(
  cores: number = availableParallelism(),
  cost: HashingCost = OWASP,
): Hashing {
  const parameters = { algorithm: ARGON2ID, parallelism: 1, ...cost };
  let busy = 0;
  const queue: { start: () => void }[] = [];
  // What the password of an unknown account is compared with; made once, at the start.
  const decoy = hash('no one has this password', parameters);

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (busy >= cores) await waitForTurn();
    else busy += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next.start();
      else busy -= 1;
    }
  }

  function waitForTurn(): Promise<void> {
    const overload = new AppError('UNAVAILABLE', { retryAfterMs: WAIT_LIMIT_MS });
    if (queue.length >= QUEUE_LIMIT) return Promise.reject(overload);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const index = queue.indexOf(entry);
        if (index !== -1) queue.splice(index, 1);
        reject(overload);
      }, WAIT_LIMIT_MS);
      const entry = {
        start: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      queue.push(entry);
    });
  }

  return {
    hash: (password) => inTurn(() => hash(password, parameters)),
    async verify(passwordHash, password) {
      const known = passwordHash ?? (await decoy);
      const isRight = await inTurn(() => verify(known, password));
      return passwordHash !== null && isRight;
    },
  };
}
