import type { Accounts } from './accounts.ts';
import type { Core } from './core.ts';
import type { Delivery } from './delivery.ts';
import type { SignIn } from './sign-in.ts';

/** What is assembled before anything is called over HTTP. */
export type Parts = {
  readonly core: Core;
  readonly delivery: Delivery;
  readonly accounts: Accounts;
  readonly signIn: SignIn;
};
