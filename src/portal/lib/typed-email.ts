import { type RefObject, useEffect, useRef } from 'react';
import { getItem } from './storage.ts';

/** Fills an email field with what was typed on another screen or before a reload. */
export function useTypedEmail(): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // After hydration: the server knows no storage, and what the visitor has typed meanwhile stays.
    if (input.current && !input.current.value) input.current.value = getItem('typedEmail') ?? '';
  }, []);
  return input;
}
