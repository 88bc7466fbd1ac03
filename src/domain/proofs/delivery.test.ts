import { describe, expect, test } from 'vitest';
import { type DeliveryState, isComing, otherWays } from './delivery.ts';
import type { Channel, OtpMedium } from './otp.ts';

const each = (...states: readonly [Channel, DeliveryState][]) =>
  states.map(([channel, state]) => ({ channel, state }));

describe('[R17] a code by two ways', () => {
  test('is coming as long as one of them has not failed', () => {
    expect(isComing(each(['email', 'failed'], ['sms', 'queued']))).toBe(true);
    expect(isComing(each(['email', 'sent'], ['sms', 'failed']))).toBe(true);
    expect(isComing(each(['email', 'failed'], ['sms', 'failed']))).toBe(false);
    // Codes of an older version have no messages noted.
    expect(isComing([])).toBe(true);
  });

  test.each<[string, OtpMedium, ReturnType<typeof each>, readonly OtpMedium[]]>([
    ['nothing failed', 4, each(['email', 'sent'], ['sms', 'sent']), []],
    ['the text failed', 4, each(['email', 'delivered'], ['sms', 'failed']), [3]],
    ['the mail failed', 4, each(['email', 'failed'], ['sms', 'sent']), [1]],
    ['both failed', 4, each(['email', 'failed'], ['sms', 'failed']), []],
    ['a text alone failed', 1, each(['sms', 'failed']), [3]],
    ['a mail alone failed', 3, each(['email', 'failed']), [1]],
    ['WhatsApp failed', 2, each(['whatsapp', 'failed']), [3, 1]],
  ])('%s: the ways that are left', (_, medium, messages, ways) => {
    expect(otherWays(medium, messages, true)).toEqual(ways);
  });

  test('where no texts are sent, none is offered', () => {
    expect(otherWays(3, each(['email', 'failed']), false)).toEqual([]);
    expect(otherWays(1, each(['sms', 'failed']), false)).toEqual([3]);
  });
});
