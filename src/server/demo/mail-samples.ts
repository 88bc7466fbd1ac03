import { type AccountChange, accountChanges } from '#texts/account-mails.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { MEMBER_ROLE } from '#domain/people/roles.ts';
import type { Config } from '../config/config.ts';
import { mailMessage, type Message, smsMessage } from '../notifications/compose-message.ts';
import type { AccountNotice } from '../notifications/account-notice.ts';
import type { Sender } from '../notifications/sender.ts';
import { type TemplateName, TEMPLATES } from '../notifications/templates.ts';
import type { MailContent } from '../notifications/mail-blocks.ts';

export type MailSample = {
  readonly name: string;
  readonly template: TemplateName;
  readonly mail: Message;
  readonly sms: Message | null;
};

const CODE = '042917';
const LIFE_MS = 120_000;
const AT = new Date('2026-11-21T16:30:00Z');
const TO = { email: 'rosa.lind@example.test', phone: '+15550142290', firstName: 'Rosa' };

/** Returns a notice of each kind, with made-up words; those of a contact can be undone. */
function noticeSamples(): readonly AccountNotice[] {
  const words = {
    key: 'iPad',
    label: 'Rosewood',
    name: 'Rosa Lind',
    email: 'r•••@example.test',
    phone: '90',
    date: AT,
    helper: 'Elena Castellanos',
    left: '9',
    role: MEMBER_ROLE,
  } as const;
  const undo = { url: 'https://example.test/account/undo?key=sample', until: AT };
  return (Object.keys(accountChanges) as AccountChange[]).map((kind) => ({
    kind,
    words,
    undo: ['emailChanged', 'phoneChanged', 'phoneRemoved'].includes(kind) ? undo : null,
  }));
}

/** Every template as a subtenant's people get it, with made-up particulars. */
export function mailSamples(
  sender: Sender,
  { publicUrl, timeZone, timers }: Pick<Config, 'publicUrl' | 'timeZone' | 'timers'>,
): readonly MailSample[] {
  const to = { firstName: TO.firstName, sender };
  const page = (path: string) => `${publicUrl}${path}?subtenantId=${sender.id}`;
  const signIn = page(pathOf('signIn'));
  const link = `${publicUrl}/account/Activation?UID=c2FtcGxlfHNhbXBsZXwx&SUP=MQ%3D%3D`;
  const changeLink = `${publicUrl}/account/change?key=sample`;
  const resetLink = `${publicUrl}/account/resetPassword?resetLinkKey=sample`;
  const host = new URL(publicUrl).hostname;
  const code = {
    ...to,
    code: CODE,
    lifeMs: LIFE_MS,
    endsAt: AT,
    timeZone,
    linkLifeMs: timers.activationLinkMs,
  };
  const sms = smsMessage('sms', TO.phone, { code: CODE, lifeMs: LIFE_MS, host, sender });
  const sample = <Template extends TemplateName>(
    name: string,
    template: Template,
    given: Parameters<(typeof TEMPLATES)[Template]>[0],
    beside: Message | null = null,
  ): MailSample => {
    const write: (to: never) => MailContent = TEMPLATES[template];
    const mail = mailMessage(TO.email, write(given as never), sender);
    return { name, template, mail, sms: beside };
  };
  const browser = { browser: 'Firefox', system: 'windows' } as const;
  const forgot = page(pathOf('forgotPassword'));
  const member = 'Ruth Castellanos';
  const people = page(pathOf('myPeople'));
  return [
    sample('code-sign-up', 'code', { ...code, purpose: 'signUp', link }, sms),
    sample('code-sign-in', 'code', { ...code, purpose: 'signIn', link: null }, sms),
    sample('code-step-up', 'code', { ...code, purpose: 'stepUp', link: null }, sms),
    sample('code-role', 'code', { ...code, purpose: 'role', link: null }),
    sample('activation', 'activation', { ...to, link, lifeMs: timers.activationLinkMs }),
    sample('reset', 'reset', { ...to, link: resetLink, lifeMs: timers.resetLinkMs }),
    sample('invitation', 'invitation', { ...to, link: resetLink, lifeMs: timers.invitationMs }),
    sample('invited', 'invited', {
      ...to,
      by: 'Nora Lind',
      role: 3,
      until: AT,
      timeZone,
      link: page(`${pathOf('invitation')}?key=sample`),
    }),
    sample('invited-taken', 'invitedTaken', to),
    sample('password-changed', 'passwordChanged', to),
    sample('password-set', 'passwordChanged', { ...to, isFirst: true }),
    sample('staff-change', 'staffChange', { ...to, link: changeLink }),
    sample('role-added', 'roleAdded', to),
    sample('account-exists', 'accountExists', { ...to, signIn }),
    sample('suspended', 'suspended', to),
    sample('by-organisation', 'byOrganisation', { ...to, signIn, organisation: 'Rosewood' }),
    sample('staff-note', 'staffNote', {
      ...to,
      note: { subject: 'Rosewood has a new logo', lines: ['Ana Ruiz changed it today.'] },
    }),
    sample('nothing-found', 'nothingFound', { ...to, signUp: page('/Account/SignUp') }),
    sample('first-sign-in', 'firstSignIn', { ...to, at: AT, timeZone, forgot }),
    sample('new-sign-in', 'newSignIn', { ...to, at: AT, timeZone, browser, forgot }),
    sample('password-tried', 'passwordTried', { ...to, forgot }),
    ...noticeSamples().map((notice) =>
      sample(`account-${notice.kind}`, 'accountNotice', { ...to, notice, forgot, timeZone }),
    ),
    ...(['asked', 'started', 'endsSoon', 'ended'] as const).map((kind) => {
      const mail = { kind, member, endsAt: AT };
      return sample(`helper-${kind}`, 'helper', { ...to, mail, people, timeZone });
    }),
    sample('helper-copy', 'helperCopy', { ...to, member, kind: 'passwordChanged' }),
    ...([7, 1] as const).map((days) =>
      sample(`trial-ends-${days}`, 'trialEnds', { ...to, days, endsAt: AT, timeZone, signIn }),
    ),
  ];
}
