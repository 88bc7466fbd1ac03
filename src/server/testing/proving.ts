/** A visitor who signs up step by step, and may prove the mail, the phone, or neither. */

import { type ActivationLink, parseActivationLink } from '#domain/proofs/activation-link.ts';
import type { TestApp } from './test-app.ts';
import { activation, type SignUpInput, type Visitor } from './visitor.ts';

type Person = SignUpInput & { readonly emailAddress: string; readonly mobileNumber: string };

export type Newcomer = ReturnType<typeof createNewcomer>;

/** Each step goes on from those before it, and is a refusal where there is nothing to go on from. */
export function createNewcomer(testApp: TestApp, person: Person) {
  const visitor = testApp.visitor();
  /** Of what was sent last: others may send codes to the same mailbox. */
  const state = { userId: 0, registrationId: '', otpId: '', mailCode: '-', textCode: '-' };
  const codeAt = async (to: string) =>
    (await testApp.inbox(to)).find(({ code }) => code !== null)?.code ?? '-';

  const verify = (code: string) => visitor.verify(state.otpId || 'none', state.userId, code);

  return {
    visitor,
    person,
    state,
    async signUp() {
      const answer = await visitor.signUp(person);
      state.userId = answer.data?.userId ?? 0;
      state.registrationId = answer.data?.id ?? '';
      return answer;
    },
    async send() {
      const answer = await visitor.sendCode(state.userId, 'USER_ACTIVATION');
      await testApp.app.outbox.settle();
      state.otpId = answer.data?.id ?? '';
      state.mailCode = await codeAt(person.emailAddress);
      state.textCode = await codeAt(person.mobileNumber);
      return answer;
    },
    readMail: () => verify(state.mailCode),
    readText: () => verify(state.textCode),
    activate: () =>
      visitor.call('activateUser', {
        body: activation({ userId: state.userId, id: state.registrationId || 'none' }, state.otpId),
      }),
    /** Password, and the code from this person's own phone or mailbox. @returns whether that opened a session */
    async signIn(readAt: string) {
      testApp.clock.advance(1);
      const { status } = await visitor.givePassword(person.emailAddress, person.password ?? '');
      if (status !== 200) return false;
      const user = await visitor.ok('getLoginUser', { query: { emailId: person.emailAddress } });
      const userId = user?.userId ?? 0;
      const before = await codeAt(readAt);
      const sent = (await visitor.sendCode(userId, 'TWOFACTORAUTHENTICATION')).data;
      const code = await codeAt(readAt);
      // Nothing new was sent there.
      if (!sent || code === before) return false;
      if (!(await visitor.verify(sent.id, userId, code)).data) return false;
      await visitor.complete();
      return true;
    },
    /** Whether the session of before still opens anything. */
    async hasSession() {
      if (!visitor.state.token) return false;
      return (await visitor.call('getConsents', {})).status === 200;
    },
  };
}

/** Returns the query of the newest activation link in a mailbox. */
export async function newestLink(testApp: TestApp, email: string) {
  const found = await findLink(testApp, email);
  if (!found) throw new Error(`No link was sent to ${email}`);
  return found;
}

/** The same, or `null` where there is none. */
export async function findLink(testApp: TestApp, email: string) {
  const mail = (await testApp.inbox(email)).find(({ link }) => link?.includes('/Activation?'));
  if (!mail?.link) return null;
  const query = new URL(mail.link).searchParams;
  const link = parseActivationLink(query.get('UID'), query.get('SUP')) as ActivationLink;
  const { registrationId, userId, key, platform } = link;
  return { userRegstrtnId: registrationId, userId, activationKey: key, signUpPlatform: platform };
}

/** Presses the button of a mailed link in a browser, and goes on as its page does. @returns whether it did anything */
export async function pressLink(
  visitor: Visitor,
  body: Awaited<ReturnType<typeof newestLink>>,
): Promise<boolean> {
  const proof = (await visitor.call('confirmLink', { body })).data;
  if (!proof) return false;
  const claim = { userId: body.userId, id: body.userRegstrtnId };
  const answer = await visitor.call('activateUser', { body: activation(claim, proof.otpId) });
  return answer.data === true;
}
