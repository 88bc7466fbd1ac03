import { describe, expect, it } from 'vitest';
import {
  parsePreferences,
  preferenceAttributes,
  readPreferences,
  writePreferences,
} from './display.ts';

describe('display choices', () => {
  it('[NOS-08] goes into a cookie and comes back', () => {
    const chosen = { theme: 'dark', textSize: 'largest', untimed: 'on' } as const;
    expect(writePreferences(chosen)).toBe('dark.largest.on');
    expect(parsePreferences('dark.largest.on')).toEqual(chosen);
    expect(preferenceAttributes(chosen)).toBe(
      ' data-theme="dark" data-text-size="largest" data-untimed="on"',
    );
  });

  it.each(['', 'purple.huge.perhaps', '"><script>..', 'on.dark.largest'])(
    '[NOS-08] takes %j for no choice',
    (text) => {
      const none = { theme: 'device', textSize: 'standard', untimed: 'off' };
      expect(parsePreferences(text)).toEqual(none);
      expect(preferenceAttributes(parsePreferences(text))).toBe('');
      expect(readPreferences(() => undefined)).toEqual(none);
    },
  );
});
