import { type RefObject, useEffect, useRef } from 'react';
import { getItem } from './storage.ts';

/** Fills an email field with the address from another screen or from before a reload. */
export function useTypedEmail(): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // After hydration: the server knows no storage, and newer input stays.
    if (input.current && !input.current.value) input.current.value = getItem('typedEmail') ?? '';
  }, []);
  return input;
}
