import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../../http/app-error.ts';
import { parseHash } from './hash-formats.ts';

/** argon2id as OWASP and security R1 recommend: 19 MiB, two passes, one lane. */
const OWASP: HashingCost = { memoryCost: 19_456, timeCost: 2 };
const ARGON2ID = 2;
const QUEUE_LIMIT = 50;
/** Milliseconds; a longer wait is refused with "try again" (performance S8). */
const WAIT_LIMIT_MS = 1000;
/** Milliseconds; one slow hash takes about as long. */
const SLOW_WAIT_LIMIT_MS = 4000;

export type HashingCost = { readonly memoryCost: number; readonly timeCost: number };

/** Receives the state of the queue for cores. */
export type HashingWatch = {
  queued(length: number): void;
  waited(seconds: number): void;
  refused(): void;
};

/** Keyboards and systems spell one letter in two ways: a password is hashed in the form NFC (RFC 8265, OpaqueString). */
export type Hashing = {
  hash(password: string): Promise<string>;
  /**
   * Returns whether the password matches, in NFC or, for a hash of before or of another system, as it was typed; `null`
   * for an unknown account costs the same.
   */
  verify(passwordHash: string | null, password: string): Promise<boolean>;
  /** Returns a new hash of a right password when the stored one is weaker than today's, or not of NFC; else `null`. */
  renew(passwordHash: string, password: string): Promise<string | null>;
};

/**
 * Creates password hashing: one at a time for each core but the one that serves requests (decision 141), and a short
 * queue. Slow hashes of other systems have their own queue, so that other passwords do not wait for them (decision
 * 142).
 * @throws AppError UNAVAILABLE
 */
export function createHashing(
  cores: number = Math.max(1, availableParallelism() - 1),
  cost: HashingCost = OWASP,
  compare: typeof verify = verify,
  watch: HashingWatch | null = null,
): Hashing {
  const parameters = { algorithm: ARGON2ID, parallelism: 1, ...cost };
  // Compared with the password of an unknown account; made once, at the start.
  const decoy = hash('no one has this password', parameters);
  const onACore = createQueue(cores, WAIT_LIMIT_MS, watch);
  const slowly = createQueue(1, SLOW_WAIT_LIMIT_MS, watch && { ...watch, queued: () => undefined });

  return {
    hash: (password) => onACore(() => hash(password.normalize(), parameters)),
    async verify(passwordHash, password) {
      const standIn = await decoy;
      const inTurn = isSlow(passwordHash) ? slowly : onACore;
      return inTurn(async () => {
        const isRight = await matchesEither(passwordHash ?? standIn, password, compare);
        // A cheaper hash would disclose by its time that the address has an account; a right password costs the same
        // because it is hashed anew.
        if (!isRight && passwordHash !== null && isWeaker(passwordHash, cost)) {
          await compare(standIn, password);
        }
        return passwordHash !== null && isRight;
      });
    },
    async renew(passwordHash, password) {
      const inNfc = password.normalize();
      const isOther =
        inNfc !== password && !(await onACore(() => matches(passwordHash, inNfc, compare)));
      const isDue = isOther || isWeaker(passwordHash, cost);
      return isDue ? onACore(() => hash(inNfc, parameters)) : null;
    },
  };
}

/** Runs a number of tasks at once; the others wait in order, for a limited time. */
function createQueue(atOnce: number, waitLimitMs: number, watch: HashingWatch | null) {
  let busy = 0;
  const queue: { start: () => void }[] = [];

  function refuse(overload: unknown): never {
    watch?.queued(queue.length);
    watch?.refused();
    throw overload;
  }

  function waitForTurn(): Promise<void> {
    const overload = new AppError('UNAVAILABLE', { retryAfterMs: waitLimitMs });
    if (queue.length >= QUEUE_LIMIT) return Promise.reject(overload);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const index = queue.indexOf(entry);
        if (index !== -1) queue.splice(index, 1);
        reject(overload);
      }, waitLimitMs);
      const entry = {
        start: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      queue.push(entry);
      watch?.queued(queue.length);
    });
  }

  return async function run<T>(work: () => Promise<T>): Promise<T> {
    const asked = performance.now();
    if (busy >= atOnce) await waitForTurn().catch(refuse);
    else busy += 1;
    watch?.queued(queue.length);
    watch?.waited((performance.now() - asked) / 1000);
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next.start();
      else busy -= 1;
    }
  };
}

function isSlow(passwordHash: string | null): boolean {
  const known = passwordHash === null ? null : parseHash(passwordHash);
  return known !== null && typeof known !== 'string' && known.isSlow;
}

async function matchesEither(passwordHash: string, password: string, compare: typeof verify) {
  const inNfc = password.normalize();
  if (await matches(passwordHash, inNfc, compare)) return true;
  return inNfc !== password && matches(passwordHash, password, compare);
}

/** Hashes of other systems come from `porchlight user import` (decision 113). */
async function matches(passwordHash: string, password: string, compare: typeof verify) {
  if (passwordHash.startsWith('$argon2')) return compare(passwordHash, password);
  const known = parseHash(passwordHash);
  return typeof known !== 'string' && known.verify(password);
}

/**
 * Returns whether a hash needs less work to guess: another kind of hash or of argon2, or fewer KiB over all passes
 * (from the PHC string).
 */
function isWeaker(passwordHash: string, { memoryCost, timeCost }: HashingCost): boolean {
  const [, memory, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(passwordHash) ?? [];
  return Number(memory ?? 0) * Number(passes ?? 0) < memoryCost * timeCost;
}
