import type { SyntheticEvent } from 'react';

/** A hand that shakes presses twice: a second press within this time is the same one. */
const GUARD_MS = 400;

const lastPresses = new WeakMap<Element, number>();

/** Whether this press comes too soon after one on the same control, or on another of its group, to be meant. */
export function isSecondPress({ currentTarget, timeStamp }: SyntheticEvent<Element>): boolean {
  const control = currentTarget.closest('[role=group]') ?? currentTarget;
  const last = lastPresses.get(control);
  if (last !== undefined && timeStamp - last < GUARD_MS) return true;
  lastPresses.set(control, timeStamp);
  return false;
}

/** A handler that takes two quick presses for one. */
export function oncePerPress(act: () => void): (event: SyntheticEvent<Element>) => void {
  return (event) => {
    if (!isSecondPress(event)) act();
  };
}
