import { type RefObject, useEffect, useRef } from 'react';
import { getItem } from './storage.ts';

/** For an address field: what was typed on another screen, or before a reload, stands in it already. */
export function useTypedEmail(): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // After waking up: the server knows no storage, and what the visitor has typed meanwhile stays.
    if (input.current && !input.current.value) input.current.value = getItem('typedEmail') ?? '';
  }, []);
  return input;
}
