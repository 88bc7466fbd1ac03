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

/** What an operation on a person, or on what operators keep, works with. `audit` names its actor. */
export type AdminContext = Pick<
  ServerContext,
  'db' | 'clock' | 'config' | 'secretBox' | 'audit'
> & {
  /** The operation sends no mail and no text: the person has died (CON-07). */
  readonly isSilent?: true;
};
