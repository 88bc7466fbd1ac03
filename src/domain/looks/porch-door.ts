import { type Screen, SCREENS, type ScreenName } from '../flow/screens.ts';
import type { Door } from './door.ts';

/** The thing at the door, on a page about it. */
export type Thing =
  | 'letter'
  | 'late'
  | 'chain'
  | 'signpost'
  | 'cone'
  | 'basket'
  | 'key'
  | 'nail'
  | 'device'
  | 'bench';

/** Returns the door of a screen, for server and browser. `isVerified`: the code was right, and an app is next. */
export function screenDoor(screen: ScreenName, isVerified = false): Door {
  const { door = 'shut' }: Screen = SCREENS[screen];
  return isVerified ? 'wide' : door;
}

/** Returns the door during code entry. After a wrong code there are no digits; an unusable one shuts it. */
export function doorAtCode(digits: number, isOver = false): Door {
  if (isOver) return 'shut';
  return digits > 0 ? (String(Math.min(digits, 6)) as Door) : 'ajar';
}
