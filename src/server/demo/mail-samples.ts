import { type AccountChange, accountChanges } from '#texts/account-mails.ts';
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
  const signIn = page('/account/signin');
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
  const sample = (
    name: string,
    template: TemplateName,
    content: MailContent,
    beside: Message | null = null,
  ): MailSample => ({
    name,
    template,
    mail: mailMessage(TO.email, content, sender),
    sms: beside,
  });
  const browser = { browser: 'Firefox', system: 'windows' } as const;
  const forgot = page('/account/ForgetPassword');
  return [
    sample('code-sign-up', 'code', TEMPLATES.code({ ...code, purpose: 'signUp', link }), sms),
    sample('code-sign-in', 'code', TEMPLATES.code({ ...code, purpose: 'signIn', link: null }), sms),
    sample('code-step-up', 'code', TEMPLATES.code({ ...code, purpose: 'stepUp', link: null }), sms),
    sample('code-role', 'code', TEMPLATES.code({ ...code, purpose: 'role', link: null })),
    sample(
      'activation',
      'activation',
      TEMPLATES.activation({ ...to, link, lifeMs: timers.activationLinkMs }),
    ),
    sample(
      'reset',
      'reset',
      TEMPLATES.reset({ ...to, link: resetLink, lifeMs: timers.resetLinkMs }),
    ),
    sample(
      'invitation',
      'invitation',
      TEMPLATES.invitation({
        ...to,
        link: resetLink,
        lifeMs: timers.invitationMs,
      }),
    ),
    sample('password-changed', 'passwordChanged', TEMPLATES.passwordChanged(to)),
    sample('password-set', 'passwordChanged', TEMPLATES.passwordChanged({ ...to, isFirst: true })),
    sample('staff-change', 'staffChange', TEMPLATES.staffChange({ ...to, link: changeLink })),
    sample('role-added', 'roleAdded', TEMPLATES.roleAdded(to)),
    sample('account-exists', 'accountExists', TEMPLATES.accountExists({ ...to, signIn })),
    sample('suspended', 'suspended', TEMPLATES.suspended(to)),
    sample(
      'nothing-found',
      'nothingFound',
      TEMPLATES.nothingFound({ ...to, signUp: page('/Account/SignUp') }),
    ),
    sample(
      'first-sign-in',
      'firstSignIn',
      TEMPLATES.firstSignIn({ ...to, at: AT, timeZone, forgot }),
    ),
    sample(
      'new-sign-in',
      'newSignIn',
      TEMPLATES.newSignIn({ ...to, at: AT, timeZone, browser, forgot }),
    ),
    sample('password-tried', 'passwordTried', TEMPLATES.passwordTried({ ...to, forgot })),
    ...noticeSamples().map((notice) =>
      sample(
        `account-${notice.kind}`,
        'accountNotice',
        TEMPLATES.accountNotice({ ...to, notice, forgot, timeZone }),
      ),
    ),
    ...(['asked', 'started', 'endsSoon', 'ended'] as const).map((kind) =>
      sample(
        `helper-${kind}`,
        'helper',
        TEMPLATES.helper({
          ...to,
          mail: { kind, member: 'Ruth Castellanos', endsAt: AT },
          people: page('/account/me/people'),
          timeZone,
        }),
      ),
    ),
    sample(
      'helper-copy',
      'helperCopy',
      TEMPLATES.helperCopy({
        ...to,
        member: 'Ruth Castellanos',
        kind: 'passwordChanged',
      }),
    ),
    ...([7, 1] as const).map((days) =>
      sample(
        `trial-ends-${days}`,
        'trialEnds',
        TEMPLATES.trialEnds({ ...to, days, endsAt: AT, timeZone, signIn }),
      ),
    ),
  ];
}
