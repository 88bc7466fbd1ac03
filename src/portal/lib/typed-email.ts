import { type RefObject, useEffect, useRef } from 'react';
import { fillIn } from './fill-in.ts';
import { getItem } from './storage.ts';

/** Fills an email field with the address from another screen or from before a reload. */
export function useTypedEmail(): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // After hydration: the server knows no storage.
    fillIn(input.current, getItem('typedEmail'));
  }, []);
  return input;
}
