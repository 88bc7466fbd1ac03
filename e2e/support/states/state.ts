import type { BrowserContext, Page, PlaywrightTestArgs } from '@playwright/test';
import type { ScreenName } from '../../../src/domain/flow/screens.ts';
import type { Account } from '../people.ts';

/** What a state is reached with. */
export type Tools = {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly request: PlaywrightTestArgs['request'];
  /** Someone with an active account; with two roles for the switcher. */
  readonly account: (roles?: 'member' | 'member and academy') => Promise<Account>;
  /** Someone who has signed up and not typed the code yet: the address, and the link that was mailed. */
  readonly invited: () => Promise<{ readonly email: string; readonly link: string }>;
  readonly code: (to: string) => Promise<string>;
  readonly inbox: (to: string) => Promise<readonly { readonly link: string | null }[]>;
};

/** Settings of a server of its own, as its environment has them (docs/configuration.md). */
export type Settings = Readonly<Record<`PORCHLIGHT_${string}`, string>>;

/** One state of one screen that a visitor can meet. */
export type State = {
  readonly name: string;
  /** `plain` are the pages without the portal's frame: the hosted login's own, the demo's. */
  readonly screen: ScreenName | 'plain';
  /** A browser or a server other than the usual one. */
  readonly needs?: {
    readonly userAgent?: string;
    readonly javaScriptEnabled?: false;
    readonly settings?: Settings;
  };
  /** It would not last by itself: the page's clock is stopped once it is there. */
  readonly isPassing?: true;
  /** A toast belongs to it. In all others it would come and go, and no two looks at the state would agree. */
  readonly hasToast?: true;
  /** Brings it about; ends when it can be seen. */
  readonly reach: (tools: Tools) => Promise<void>;
};
