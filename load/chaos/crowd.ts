import { setTimeout as sleep } from 'node:timers/promises';
import {
  activation,
  createVisitor,
  PASSWORD,
  type Visitor,
} from '../../src/server/testing/visitor.ts';
import type { Outside } from './outside.ts';

const STEPS = [
  'signUp',
  'sendCode',
  'verify',
  'activate',
  'signIn',
  'askReset',
  'reset',
  'signInAgain',
] as const;
type Step = (typeof STEPS)[number];

export type Person = {
  readonly emailAddress: string;
  readonly mobileNumber: string;
  readonly isAcademy: boolean;
  readonly visitor: Visitor;
  /** The counts of successful steps. */
  readonly acknowledged: Map<Step, number>;
  /** Codes that were used: they must never work again. */
  readonly usedCodes: Set<string>;
  readonly passwords: { readonly old: string; readonly fresh: string };
  /** The next step; `null` when all is done. */
  step: Step | null;
  userId: number;
  registrationId: string;
  otpId: string;
  code: string;
  /** Why the last try of a step failed. */
  trouble: string;
};

export type Crowd = {
  readonly people: readonly Person[];
  /** Steps that were answered with yes. */
  acknowledged(): number;
  /** Failures are allowed from here until `calm`. */
  disturb(): void;
  calm(): void;
  /** Adds no people; those under way finish. */
  finish(): Promise<void>;
  /** Ends at once, as far as everybody is. */
  leave(): Promise<void>;
  /** The people under way, and their last failures. */
  waiting(): readonly string[];
  /** Unexplained faults: a person who cannot go on, a code that works twice. */
  readonly faults: string[];
};

type Options = { readonly url: string; readonly outside: Outside; readonly size: number };

const PAUSE_MS = 250;
const MOST_DOUBLINGS = 4;
/** A worker that was killed keeps its job for ten seconds. */
const MAIL_MS = 30_000;
/** A busy machine refuses now and then; who is refused this often without a cause cannot go on. */
const MOST_REFUSALS = 20;

/**
 * People who sign up, activate, sign in, reset and sign in again, `size` of them at once. Who gets no answer, or a no,
 * does the same step again, as people do.
 */
export function startCrowd({ url, outside, size }: Options): Crowd {
  const people: Person[] = [];
  const faults: string[] = [];
  let acknowledged = 0;
  let disturbances = 0;
  let isDisturbed = false;
  let isFinishing = false;
  let isOver = false;

  function newcomer(): Person {
    const n = people.length;
    const person: Person = {
      emailAddress: `crowd-${n}@example.test`,
      mobileNumber: `202${5_550_000 + n}`,
      isAcademy: n % 3 === 0,
      visitor: createVisitor({ url, codeFor: async () => '' }),
      acknowledged: new Map(),
      usedCodes: new Set(),
      passwords: { old: PASSWORD, fresh: `${PASSWORD}-${n}` },
      step: 'signUp',
      userId: 0,
      registrationId: '',
      otpId: '',
      code: '',
      trouble: '',
    };
    people.push(person);
    return person;
  }

  async function pollFor(find: () => string | undefined): Promise<string> {
    for (let waited = 0; waited < MAIL_MS && !isOver; waited += PAUSE_MS) {
      const found = find();
      if (found) return found;
      await sleep(PAUSE_MS);
    }
    throw new Error('no mail came');
  }
  const unusedCode = ({ emailAddress, usedCodes }: Person) =>
    pollFor(() => outside.mailsTo(emailAddress).codes.findLast((code) => !usedCodes.has(code)));

  /** Types the newest code. A mail of an earlier try may come last: its code is wrong, and then nobody's. */
  async function type(person: Person, id: string, userId: number): Promise<string> {
    for (;;) {
      const otp = await unusedCode(person);
      const answer = await person.visitor.verify(id, userId, otp);
      if (answer.data) return otp;
      if (answer.errorFlag !== 'INVALID_OTP') throw new Error(`verify: ${answer.errorFlag}`);
      person.usedCodes.add(otp);
    }
  }

  async function signIn(person: Person, password: string): Promise<void> {
    const { visitor, emailAddress } = person;
    visitor.state.token = null;
    const { userId, otpId } = await visitor.reachCode(emailAddress, password);
    const otp = await type(person, otpId, userId);
    person.usedCodes.add(otp);
    await visitor.complete();
    await tryAgain(person, otpId, userId, otp);
  }

  /** A code that has done its work does nothing any more. */
  async function tryAgain(person: Person, id: string, userId: number, otp: string): Promise<void> {
    const again = await person.visitor.verify(id, userId, otp).catch(() => null);
    if (again?.data === true) faults.push(`${person.emailAddress}: a code worked twice`);
  }

  async function reset(person: Person): Promise<void> {
    const { visitor, emailAddress, passwords } = person;
    const key = await pollFor(() => outside.mailsTo(emailAddress).resetKeys.at(-1));
    const opened = await visitor.call('getResetUser', { params: { resetKey: key, ip: '::1' } });
    if (!opened.data && opened.errorFlag !== 'INVALID_LINK')
      throw new Error(`getResetUser: ${opened.status} ${opened.errorFlag}`);
    if (!opened.data) {
      // The answer to the reset may have been lost, or the mail of an older link came last.
      const { ticket, status } = await createVisitor({ url, codeFor: async () => '' }).authenticate(
        emailAddress,
        passwords.fresh,
      );
      if (!ticket && status === 403) person.step = 'askReset';
      if (!ticket) throw new Error('the link is dead, and the password not set');
      return;
    }
    const { userName, userId, hostedUserId, forgotPasswordId } = opened.data;
    const body = {
      userName,
      userId,
      hostedUserId: hostedUserId ?? '',
      password: passwords.fresh,
      forgotPasswordId,
    };
    const answer = await visitor.call('updatePassword', { body });
    if (answer.data) return;
    // After a try without an answer the browser is asked to work for the next one.
    if (answer.errorFlag !== 'CAPTCHA_NEEDED') throw new Error(`reset: ${answer.errorFlag}`);
    const proof = await visitor.prove('resetPassword');
    const proven = await visitor.call('updatePassword', { body }, proof);
    if (!proven.data) throw new Error(`reset with work: ${proven.errorFlag}`);
  }

  const DO: Readonly<Record<Step, (person: Person) => Promise<unknown>>> = {
    async signUp(person) {
      const { visitor, emailAddress, mobileNumber, isAcademy } = person;
      const answer = await visitor.signUp({
        emailAddress,
        mobileNumber,
        password: person.passwords.old,
        ...(isAcademy && { subtenantId: 3 }),
      });
      if (!answer.data) throw new Error(`signUp: ${answer.status} ${answer.errorFlag}`);
      person.userId = answer.data.userId;
      person.registrationId = answer.data.id;
    },
    async sendCode(person) {
      const { data, status, errorFlag } = await person.visitor.sendCode(
        person.userId,
        'USER_ACTIVATION',
      );
      if (!data) throw new Error(`sendCode: ${status} ${errorFlag}`);
      person.otpId = data.id;
    },
    async verify(person) {
      try {
        person.code = await type(person, person.otpId, person.userId);
      } catch (error) {
        if (/OTP_EXPIRED|OTP_DEAD/.test(String(error))) person.step = 'sendCode';
        throw error;
      }
    },
    async activate(person) {
      const claim = { userId: person.userId, id: person.registrationId };
      await person.visitor.ok('activateUser', { body: activation(claim, person.otpId) });
      person.usedCodes.add(person.code);
      await tryAgain(person, person.otpId, person.userId, person.code);
    },
    signIn: (person) => signIn(person, person.passwords.old),
    async askReset({ visitor, emailAddress }) {
      await visitor.ok('forgotPassword', {
        body: { userName: emailAddress, emailID: emailAddress },
      });
    },
    reset,
    signInAgain: (person) => signIn(person, person.passwords.fresh),
  };

  async function live(person: Person): Promise<void> {
    let refusals = 0;
    while (person.step && !isOver) {
      const step: Step = person.step;
      const before = disturbances;
      const wasDisturbed = isDisturbed;
      try {
        await DO[step](person);
        person.acknowledged.set(step, (person.acknowledged.get(step) ?? 0) + 1);
        acknowledged += 1;
        refusals = 0;
        person.trouble = '';
        person.step = STEPS[STEPS.indexOf(step) + 1] ?? null;
      } catch (error) {
        person.trouble = String(error);
        if (!wasDisturbed && !isDisturbed && before === disturbances) refusals += 1;
        if (refusals > MOST_REFUSALS) {
          faults.push(`${person.emailAddress} cannot go on at ${step}: ${String(error)}`);
          return;
        }
        // Twice as long each time, as who is asked to come again should: else a slow machine has no time to recover.
        await sleep(PAUSE_MS * 2 ** Math.min(refusals, MOST_DOUBLINGS));
      }
    }
  }

  const slots = Array.from({ length: size }, async () => {
    while (!isFinishing && !isOver) await live(newcomer());
  });
  return {
    people,
    faults,
    acknowledged: () => acknowledged,
    waiting: () =>
      people.flatMap(({ step, emailAddress, trouble }) =>
        step ? [`${emailAddress} at ${step}: ${trouble}`] : [],
      ),
    disturb() {
      isDisturbed = true;
      disturbances += 1;
    },
    calm: () => void (isDisturbed = false),
    async finish() {
      isFinishing = true;
      await Promise.all(slots);
    },
    async leave() {
      isOver = true;
      await Promise.all(slots);
    },
  };
}
