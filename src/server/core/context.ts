import type { Audit } from '../audit/audit.ts';
import type { Clock } from './clock.ts';
import type { Config } from '../config/config.ts';
import type { Db } from '../db/database.ts';
import type { Outbox } from '../jobs/outbox.ts';
import type { RateLimits } from '../abuse/rate-limits.ts';
import type { SecretBox } from '../crypto/secret-box.ts';

/** What every feature of the server works with. */
export type ServerContext = {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: Config;
  readonly secretBox: SecretBox;
  readonly rateLimits: RateLimits;
  readonly audit: Audit;
  readonly outbox: Outbox;
};

/** A person's session at the portal: the account, and the sign-in that began it. */
export type Session = { readonly userId: number; readonly signInId: string };

/** What an operation works with. `audit` names its actor; `outbox` of a command sends nothing itself. */
export type AdminContext = Pick<
  ServerContext,
  'db' | 'clock' | 'config' | 'secretBox' | 'audit' | 'outbox'
>;
