import type { ComponentType } from 'react';
import { entryPointOf, INTERACTION_QUERY, screenAt, type ScreenName } from '#domain/screens.ts';
import type { EntryPoint } from '#domain/role-routing.ts';
import type { VisitState } from '#domain/visit.ts';
import type { Boot } from '#contract/boot.ts';

/** What a screen's title may depend on. */
type TitleInput = Pick<Boot, 'entryPoint' | 'visit'>;

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
  readonly entryPoint: EntryPoint;
  readonly path: string;
  /** With its question mark, or empty. */
  readonly search: string;
  readonly visit: VisitState;
};

/** An address of ours, taken apart; `null` for one that is no screen. */
export function placeOf(
  href: string,
): Pick<View, 'screen' | 'entryPoint' | 'path' | 'search'> | null {
  const [path = '', search = ''] = href.split('?', 2);
  const screen = screenAt(path);
  return screen && { screen, entryPoint: entryPointOf(path), path, search: search && `?${search}` };
}

const CARRIED_QUERY = ['subtenantId', INTERACTION_QUERY];

/** An address that goes on naming what the query named before: the subtenant (GEN-04), another application's request. */
export function withCarriedQuery(href: string, search: string): string {
  const query = new URLSearchParams(search);
  return CARRIED_QUERY.reduce((full, name) => {
    const value = query.get(name);
    if (value === null || full.includes(`${name}=`)) return full;
    return `${full}${full.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;
  }, href);
}
