import type { ComponentType, ReactNode } from 'react';
import type { Thing } from '#domain/looks/porch-door.ts';
import {
  entranceOf,
  INTERACTION_QUERY,
  NEXT_QUERY,
  returnPageIn,
  pathOfNext,
  screenAt,
  type ScreenName,
} from '#domain/flow/screens.ts';
import type { Entrance } from '#domain/people/role-routing.ts';
import type { VisitState } from '#domain/flow/visit.ts';
import type { Boot } from '#contract/boot.ts';

/** The inputs of a screen's title. */
type TitleInput = Pick<Boot, 'entrance' | 'visit' | 'refusal' | 'organisation'> & {
  readonly search: string;
};

export type PanelInput = Pick<Boot, 'visit' | 'hours' | 'account' | 'organisation' | 'link'>;

/** The content below the porch of such a screen. */
export type Panel = {
  readonly title: string;
  readonly text: ReactNode;
  /** The words on a shared device that is about to clear itself: its bar shows them in place of the others. */
  readonly soon?: { readonly title: string; readonly text: string };
  /** The porch is larger, and takes more of the page. */
  readonly isNear?: true;
  /** A drawing in place of the porch: beside the page, and as a strip above the title of a phone. */
  readonly drawing?: {
    readonly beside: ReactNode;
    readonly strip: ReactNode;
    readonly className: string | undefined;
  };
};

/** The `screen` export of a screen's module. */
export type ScreenModule = {
  /** The h1, for the window's title. */
  readonly title: (input: TitleInput) => string;
  readonly View: ComponentType;
  /** A still porch beside the screen, for screens without news. */
  readonly panel?: (input: PanelInput) => Panel | null;
  /** The thing at the half open door. */
  readonly thing?: Thing;
  /** The page's HTTP status, where it is not 200. */
  readonly status?: number;
};

/** The current screen. It changes only when the chunk of the next one has loaded. */
export type View = {
  /** Counts up, so that each navigation mounts its screen anew. */
  readonly id: number;
  readonly screen: ScreenName;
  readonly module: ScreenModule;
  readonly entrance: Entrance;
  readonly path: string;
  /** With its question mark, or empty. */
  readonly search: string;
  readonly visit: VisitState;
};

/** Returns the parts of one of the portal's addresses; `null` for one without a screen. */
export function portalPlace(
  href: string,
): Pick<View, 'screen' | 'entrance' | 'path' | 'search'> | null {
  const [path = '', search = ''] = href.split('?', 2);
  const screen = screenAt(path);
  return screen && { screen, entrance: entranceOf(path), path, search: search && `?${search}` };
}

/** Returns the query with the OAuth client's interaction of this tab, if any. */
export function interactionQuery(search: string): { readonly request?: string } {
  const request = new URLSearchParams(search).get(INTERACTION_QUERY);
  return request ? { request } : {};
}

/** Returns the address of the page to which a sign-in returns, if the query names one. */
export function nextPageIn(search: string): string | null {
  const next = returnPageIn(new URLSearchParams(search));
  return next && pathOfNext(next);
}

const CARRIED_QUERY = ['subtenantId', INTERACTION_QUERY, NEXT_QUERY];

/** Adds the query parameters that every address keeps: the subtenant (GEN-04), the interaction, and the next page. */
export function withCarriedQuery(href: string, search: string): string {
  const query = new URLSearchParams(search);
  return CARRIED_QUERY.reduce((full, name) => {
    const value = query.get(name);
    if (value === null || full.includes(`${name}=`)) return full;
    return `${full}${full.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;
  }, href);
}
