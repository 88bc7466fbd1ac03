import { createAudit } from '../audit/audit.ts';
import type { DeedContext } from '../access/context.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { createOutbox } from '../jobs/outbox.ts';
import { withMessages } from '../wiring/command-context.ts';

export type Given = Pick<DeedContext, 'db' | 'clock' | 'config'> & Partial<DeedContext>;

/** Returns the context of an operation on the database of a test. Its messages wait for a server. */
export function adminContextOf({ db, clock, config, ...given }: Given): DeedContext {
  const secretBox = given.secretBox ?? createSecretBox(config.secret, config.previousSecrets);
  const queue = createOutbox({ db, clock, secretBox, onError: () => undefined });
  const outbox = { ...queue, wake: () => undefined };
  const audit = createAudit({ db, clock });
  return { ...withMessages({ db, clock, config, secretBox, audit, outbox, ...given }), ...given };
}
