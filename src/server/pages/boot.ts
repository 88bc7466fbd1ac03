import type { Data } from '#contract/index.ts';
import type { Entrance } from '#domain/role-routing.ts';
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
  readonly entrance: Entrance;
};

/** A screen as the portal's server-side bundle renders it. */
export type Rendered = {
  readonly html: string;
  readonly title: string;
  readonly status: number;
  readonly module: string;
};
