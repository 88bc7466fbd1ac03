/** What happened in the demo's month, and the codes of its last day. No I/O; the same in every demo. */

import type { EventKind } from '#locales/operator/events.ts';
import type { DeliveryReason } from '#domain/proofs/delivery.ts';
import { OTP_MEDIUM } from '#domain/proofs/otp.ts';
import { DAY_MS, MINUTE_MS } from '#domain/text/duration.ts';
import type { AuditEvent } from '../audit/audit.ts';
import { later } from '../core/clock.ts';
import { type House, HOUSES, type MonthPerson, casePerson, RESIDENTS } from './month-people.ts';

const SECOND_MS = 1000;
const DAYS = 30;
/** Texts are slow at the end of the month, so that the page of the messages has something to say. */
const SLOW_MS = 55 * MINUTE_MS;
export const CODE_TYPE = 'TWOFACTORAUTHENTICATION';
const MEDIUM = OTP_MEDIUM.both;
/** The demo's staff members 3 and 5: a help desk and an operator. */
const STAFF = ['staff:4000000003', 'staff:4000000005'] as const;
/** The network from which somebody guesses a password. */
export const GUESSING_IP = '198.51.100.7';

export type MonthEvent = AuditEvent & { readonly at: Date };
/** The end of a message, so many milliseconds after its code was asked for. */
type Sent = { readonly id: string; readonly reason: DeliveryReason | null; readonly ms: number };
export type MonthCode = {
  readonly at: Date;
  readonly person: MonthPerson;
  readonly visitId: string;
  readonly isTyped: boolean;
  readonly mail: Sent;
  readonly text: Sent;
};
type Stop = keyof House['stops'] | 'landline' | 'none';

/** Creates numbers that look random and are the same in every demo (mulberry32). */
export function createDice(seed: number) {
  let state = seed;
  const roll = (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
  const hex = (length: number) => Array.from({ length }, () => roll(16).toString(16)).join('');
  const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
  return { roll, uuid };
}

/** Returns the month that ends now: its events in their order, and the codes that were sent. */
export function monthUntil(now: Date): {
  readonly events: readonly MonthEvent[];
  readonly codes: readonly MonthCode[];
} {
  const { roll, uuid } = createDice(20_261_124);
  const { uuid: messageId } = createDice(7);
  const events: MonthEvent[] = [];
  const codes: MonthCode[] = [];
  const ago = (minutes: number) => later(now, -minutes * MINUTE_MS);

  function tell(at: Date, kind: EventKind, person: MonthPerson, more: Partial<AuditEvent> = {}) {
    const { id, subtenantId } = person;
    const details = { subtenantId, ...more.details };
    events.push({ at, kind, userId: id, ...more, details });
  }

  /** Adds the events of one visit, up to the step where it stops. */
  function visit(person: MonthPerson, at: Date, stop: Stop, wrong = 0): void {
    const browser = { visitId: uuid(), ip: `203.0.113.${1 + roll(250)}` };
    let time = at;
    const next = (seconds: number, kind: EventKind, details: AuditEvent['details'] = {}): Date => {
      time = later(time, seconds * SECOND_MS);
      tell(time, kind, person, { ...browser, details });
      return time;
    };
    for (let n = 0; n < wrong; n += 1) next(15, 'signIn.wrongPassword');
    if (stop === 'password') return;
    next(12, 'signIn.password');
    const sentAt = next(1, 'otp.sent', { type: CODE_TYPE, medium: MEDIUM });
    const isSlow = now.getTime() - sentAt.getTime() < SLOW_MS;
    const after = (least: number, most: number): Sent => ({
      id: messageId(),
      reason: null,
      ms: (least + roll(most - least)) * SECOND_MS,
    });
    const back = (reason: DeliveryReason): Sent => ({
      id: messageId(),
      reason,
      ms: 2 * SECOND_MS,
    });
    const isTyped = stop === 'app' || stop === 'none';
    const mail = stop === 'mail' ? back('invalid') : after(3, 10);
    const text =
      stop === 'mail' || stop === 'landline'
        ? back('invalid')
        : isSlow
          ? after(41, 53)
          : after(4, 10);
    codes.push({ at: sentAt, person, visitId: browser.visitId, isTyped, mail, text });
    for (const [channel, { id, reason }] of [
      ['email', mail],
      ['sms', text],
    ] as const) {
      if (reason) next(2, 'message.failed', { id, channel, reason });
    }
    if (!isTyped) return;
    if (roll(9) === 0) next(14, 'otp.wrong', { tries: 1 });
    next(20 + roll(40), 'otp.verified', { proven: 'email', type: CODE_TYPE, medium: MEDIUM });
    next(1, 'signIn.complete');
    if (stop === 'app') return;
    next(2, 'handoff.issued', { module: 'member-intake', roleId: person.role });
    if (roll(3) === 0) next(600 + roll(3000), 'signOut');
  }

  function visitsOf({ subtenantId, visitsADay, stops }: House): void {
    const people = RESIDENTS.filter((each) => each.subtenantId === subtenantId);
    for (let n = 0; n < DAYS * visitsADay; n += 1) {
      // Most people come between eight in the morning and eight in the evening.
      const minute = roll(6) === 0 ? roll(24 * 60) : 8 * 60 + roll(12 * 60);
      const midnight = Math.floor(now.getTime() / DAY_MS) - roll(DAYS);
      const at = new Date(midnight * DAY_MS + minute * MINUTE_MS + roll(60) * SECOND_MS);
      const person = people[roll(people.length)] ?? casePerson('nothing');
      const stop = stopIn(stops);
      const tries = 1 + roll(3);
      visit(person, at, stop, stop === 'password' || roll(6) === 0 ? tries : 0);
    }
  }

  function stopIn(stops: House['stops']): Stop {
    let left = roll(1000);
    for (const step of ['password', 'mail', 'code', 'app'] as const) {
      left -= stops[step];
      if (left < 0) return step;
    }
    return 'none';
  }

  /** Adds the people who stand for one reason each. */
  function cases(): void {
    const known = ['wrongPassword', 'locked', 'mailComesBack', 'landline', 'nothing'] as const;
    for (const name of known) visit(casePerson(name), ago(6 * 24 * 60), 'none');
    visit(casePerson('wrongPassword'), ago(52), 'password', 3);
    tell(ago(12 * 24 * 60), 'account.suspended', casePerson('switchedOff'), { actor: STAFF[1] });
    tell(ago(130), 'signIn.suspended', casePerson('switchedOff'), { details: { at: 'password' } });
    tell(ago(2 * 24 * 60), 'signUp.created', casePerson('neverVerified'));
    for (let minutes = 40; minutes > 35; minutes -= 1) {
      tell(ago(minutes), 'signIn.wrongPassword', casePerson('locked'), { ip: GUESSING_IP });
    }
    visit(casePerson('mailComesBack'), ago(27), 'mail');
    visit(casePerson('noRole'), ago(24 * 60), 'app');
    visit(casePerson('moduleMissing'), ago(26 * 60), 'app');
    const missing = { details: { module: 'special' } };
    tell(ago(26 * 60 - 3), 'handoff.moduleMissing', casePerson('moduleMissing'), missing);
    visit(casePerson('landline'), ago(64), 'landline');
    visit(casePerson('codeNotTyped'), ago(73), 'code');
    visit(casePerson('nothing'), ago(24 * 60 + 35), 'none');
  }

  for (const house of HOUSES) visitsOf(house);
  for (const [n, minutes] of [48, 33, 21, 9].entries()) {
    visit(RESIDENTS[5 * n] ?? casePerson('nothing'), ago(minutes), 'none');
  }
  cases();
  for (let day = 1; day < DAYS; day += 1) {
    const actor = STAFF[day % 4 === 0 ? 1 : 0];
    const person = RESIDENTS[roll(50)] ?? casePerson('nothing');
    tell(ago(day * 24 * 60 - roll(300)), 'console.looked', person, { actor });
  }
  return {
    events: events
      .filter(({ at }) => at <= now)
      .toSorted((a, b) => a.at.getTime() - b.at.getTime()),
    codes: codes.filter(({ at }) => at <= now),
  };
}
