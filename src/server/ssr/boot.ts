import type { Data } from '#contract/index.ts';
import type { EntryPoint } from '#domain/role-routing.ts';
import type { ScreenName } from '#domain/screens.ts';
import type { Subtenant } from '#domain/subtenants.ts';
import type { VisitState } from '#domain/visit.ts';

/** What the browser needs to go on where the server left off. */
export type Boot = {
  readonly subtenant: Subtenant;
  readonly isSubtenantNamed: boolean;
  readonly visit: VisitState;
  readonly settings: Omit<Data<'getSettings'>, 'isCaptchaNeeded'>;
  readonly screen: ScreenName;
  readonly entrance: EntryPoint;
  /** The form of the hosted login's own question; `target`: where its answer leads in the end. */
  readonly form: {
    readonly action: string;
    readonly xsrf: string;
    readonly target: string | null;
  } | null;
};

/** A screen as the portal's server-side bundle renders it. */
export type Rendered = {
  readonly html: string;
  readonly title: string;
  readonly status: number;
  readonly module: string;
};
