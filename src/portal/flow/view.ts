import type { ComponentType } from 'react';
import { entranceOf, screenAt, type ScreenName } from '#domain/screens.ts';
import type { Entrance } from '#domain/role-routing.ts';
import type { VisitState } from '#domain/visit.ts';
import type { Boot } from '../boot.ts';

/** What a screen's title may depend on. */
type TitleInput = Pick<Boot, 'entrance' | 'visit'>;

/** One screen: what the loader table points to. */
export type ScreenModule = {
  /** The h1, for the window's title. */
  readonly title: (input: TitleInput) => string;
  readonly View: ComponentType;
  /** The page's HTTP status, where it is not 200. */
  readonly status?: number;
};

/** What is on show. It changes only when the screen's code is there. */
export type View = {
  /** Counts up: each arrival mounts its screen anew. */
  readonly id: number;
  readonly screen: ScreenName;
  readonly module: ScreenModule;
  readonly entrance: Entrance;
  readonly path: string;
  /** With its question mark, or empty. */
  readonly search: string;
  readonly visit: VisitState;
};

/** An address of ours, taken apart; `null` for one that is no screen. */
export function placeOf(
  href: string,
): Pick<View, 'screen' | 'entrance' | 'path' | 'search'> | null {
  const [path = '', search = ''] = href.split('?', 2);
  const screen = screenAt(path);
  return screen && { screen, entrance: entranceOf(path), path, search: search && `?${search}` };
}

const CARRIED_QUERY = 'subtenantId';

/** An address with the subtenant that the query named before: it goes on naming it (GEN-04). */
export function withSubtenant(href: string, search: string): string {
  const id = new URLSearchParams(search).get(CARRIED_QUERY);
  if (id === null || href.includes(`${CARRIED_QUERY}=`)) return href;
  return `${href}${href.includes('?') ? '&' : '?'}${CARRIED_QUERY}=${encodeURIComponent(id)}`;
}
