import { useEffect } from 'react';
import { removeItems, setItem } from '../../lib/storage.ts';

/**
 * Writes the timer markers in session storage (GEN-12), for other scripts of the product family; the countdown follows
 * the server's answer and never reads them (OTP-03, GEN-12).
 */
export function useTimerMarkers(deadline: number): void {
  useEffect(() => {
    const clear = () => removeItems('remainingTime', 'hasBeenCalledBefore');
    const mark = () => {
      const seconds = Math.ceil((deadline - performance.now()) / 1000);
      if (seconds > 0) {
        setItem('remainingTime', seconds);
        setItem('hasBeenCalledBefore', true);
        return;
      }
      clear();
      clearInterval(timer);
    };
    const timer = setInterval(mark, 1000);
    mark();
    return () => {
      clearInterval(timer);
      clear();
    };
  }, [deadline]);
}
