import { problems } from './en/problems.ts';
import { fill } from './fill.ts';

/** "1 minute", "12 minutes". */
export function minutesText(count: number): string {
  return count === 1 ? problems.minute : fill(problems.minutes, { count });
}
