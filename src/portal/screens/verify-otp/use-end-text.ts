import { useEffect, useState } from 'react';
import { timeText } from './state-text.ts';

/** Returns a deadline of `performance.now()` by the visitor's own clock; `null` until the page is hydrated. */
export function useEndText(deadline: number): string | null {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => setText(timeText(Date.now() + deadline - performance.now())), [deadline]);
  return text;
}
