import type { SyntheticEvent } from 'react';

/** Milliseconds in which a second press of a shaking hand counts as the same one. */
const GUARD_MS = 400;

const lastPresses = new WeakMap<Element, number>();

/** Returns whether this press comes too soon after one on the same control, or on another of its group, to be meant. */
export function isSecondPress({ currentTarget, timeStamp }: SyntheticEvent<Element>): boolean {
  const control = currentTarget.closest('[role=group]') ?? currentTarget;
  const last = lastPresses.get(control);
  if (last !== undefined && timeStamp - last < GUARD_MS) return true;
  lastPresses.set(control, timeStamp);
  return false;
}

/** Returns a handler that treats two quick presses as one. */
export function oncePerPress(act: () => void): (event: SyntheticEvent<Element>) => void {
  return (event) => {
    if (!isSecondPress(event)) act();
  };
}
