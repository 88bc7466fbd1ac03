import { textsIn } from '#locales/catalogue.ts';
import type { Language } from '#locales/languages.ts';
import type { AccountContacts, AccountData } from '#contract/my-account.ts';
import { type Contact, OTP_MEDIUM } from '#domain/proofs/otp.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { canonicalEmail, check, EMAIL_RULE } from '#domain/typed/validation.ts';
import type { Account } from '../accounts/account-store.ts';
import { phoneText } from '../accounts/phone-text.ts';
import {
  cancelWaiting,
  type ContactChange,
  openChanges,
  type WantedContact,
} from '../accounts/contact-changes.ts';
import { readPhone } from '../accounts/phone-number.ts';
import { askContactChange, waitingContact } from './change-contact.ts';
import type { FullContext } from '../access/context.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import { lostCodeText } from '../notifications/delivery-status.ts';
import { weekdaysUntil } from '../notifications/moments.ts';
import type { Otps } from '../proofs/otp/otp-ports.ts';
import { findOpenOtp } from '../proofs/otp/otp-store.ts';
import type { Recipients } from '../proofs/otp/recipients.ts';
import { type AccountForm, idsOf, type Me, problemsOf, textOf } from '../forms/account-page.ts';
import { verifyOpenCode } from '../forms/open-code.ts';
import type { StepUp } from '../forms/step-up.ts';

type Ports = {
  readonly otps: Pick<Otps, 'send' | 'verify'>;
  readonly recipients: Recipients;
  readonly stepUp: Pick<StepUp, 'isFreshIn'>;
};

/** Creates the pages of email and phone: the new contact, its code, and the 72 hours of the undo (decision 170). */
export function createContacts(context: FullContext, ports: Ports) {
  const { db, clock, config } = context;

  /** Checks what was typed. @returns the problems of the fields, or the wanted contact */
  async function wantedIn(account: Account, contact: Contact, sent: FormData) {
    if (contact === 'email') {
      const checked = check({ email: EMAIL_RULE }, { email: textOf(sent, 'email') });
      if (!checked.isValid) return { problems: problemsOf(checked.problems) };
      const { email } = checked.values;
      if (canonicalEmail(email) === canonicalEmail(account.email_canonical)) {
        return { problems: problemsOf({ email: 'emailSame' }) };
      }
      return { wanted: { contact, email } } as const;
    }
    if (textOf(sent, 'do') === 'remove') {
      return { wanted: { contact, dial_code: '', mobile: '' } } as const;
    }
    const dialCode = `+${textOf(sent, 'dialCode').replace(/\D/g, '')}`;
    const read = await readPhone(dialCode, textOf(sent, 'phone'));
    if ('problem' in read) return { problems: problemsOf({ phone: read.problem }) };
    return { wanted: { contact, ...read.number } } as const;
  }

  async function ask(me: Me, contact: Contact, sent: FormData, caller: Caller) {
    const page = pathOf(PAGES[contact]);
    const account = await db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', me.loggedInUserId)
      .executeTakeFirstOrThrow();
    const { problems, wanted } = await wantedIn(account, contact, sent);
    if (!(await ports.stepUp.isFreshIn(me))) {
      // Kept without a code: after the step-up the form has what was typed.
      if (wanted && !isRemoved(wanted)) await askContactChange(context, idsOf(me), wanted);
      return { page };
    }
    if (!wanted) return { problems };
    await askContactChange(context, idsOf(me), wanted);
    if (isRemoved(wanted)) return { page: `${page}?done=1` };
    await sendCode(me, caller);
    return { page };
  }

  async function sendCode(me: Me, caller: Caller): Promise<void> {
    const recipient = await ports.recipients.find('NEW_CONTACT', me.loggedInUserId, caller.visit);
    const medium = recipient.mailRule === 'only' ? OTP_MEDIUM.email : OTP_MEDIUM.sms;
    await ports.otps.send(recipient, medium, caller);
  }

  async function checkCode(me: Me, sent: FormData, caller: Caller): Promise<void> {
    const { loggedInUserId: userId } = me;
    const recipient = await ports.recipients.find('NEW_CONTACT', userId, caller.visit);
    await verifyOpenCode({ db, otps: ports.otps }, recipient, sent, caller);
  }

  /** Returns why the code of the new contact cannot arrive; `null` while it may, and where none is open. */
  async function lostCode(userId: number, visit: Visit, language: Language) {
    const recipient = await ports.recipients.find('NEW_CONTACT', userId, visit);
    const open = await findOpenOtp(db, recipient, visit.id);
    return open ? lostCodeText(db, open.id, language) : null;
  }

  /** Each step needs a fresh proof, not only the first (ACC-12); the change asks again when it takes effect. */
  const formOf = (contact: Contact): AccountForm => ({
    asksProof: (sent) => ['send', 'check'].includes(textOf(sent, 'do')),
    refusedAt: 'code',
    keeps: ['email', 'phone', 'dialCode', 'country'],
    async run(me, sent, caller) {
      const page = pathOf(PAGES[contact]);
      switch (textOf(sent, 'do')) {
        case 'send':
          await sendCode(me, caller);
          return { page };
        case 'check':
          await checkCode(me, sent, caller);
          return { page: `${page}?done=1` };
        case 'cancel':
          await cancelWaiting(db, me.signInId, clock.now());
          return { page };
        default:
          return ask(me, contact, sent, caller);
      }
    },
  });

  return {
    forms: { myEmail: formOf('email'), myPhone: formOf('phone') },

    /** Returns what the rows and pages of email and phone show; `typed`: what has to be asked for again. */
    async read(
      account: Account,
      me: Me,
      { visit, language }: { readonly visit: Visit; readonly language: Language },
    ): Promise<{ readonly contacts: AccountContacts; readonly typed: AccountData['typed'] }> {
      const now = clock.now();
      const asked = await waitingContact(context, idsOf(me));
      const waiting = asked && !asked.isOver ? asked.change : null;
      const open = await openChanges(db, account.id, now);
      const [oldest] = open;
      const changed = (contact: Contact) => open.some((each) => each.contact === contact);
      const contacts = {
        isEmailHere: account.hosted_user_id === null,
        waitsFor: waiting
          ? {
              contact: waiting.contact,
              to: await valueOf(waiting),
              // Mail to the address of another account is no code, and no page may tell the two apart (ACC-03).
              lost:
                waiting.contact === 'phone' ? await lostCode(account.id, visit, language) : null,
            }
          : undefined,
        isEmailChanged: changed('email'),
        isPhoneChanged: changed('phone'),
        undo: oldest?.undo_until
          ? weekdaysUntil(textsIn(language), oldest.undo_until, now, config.timeZone)
          : null,
      };
      return { contacts, typed: asked?.isOver ? typedAgain(asked.change) : {} };
    },
  };
}

const PAGES = { email: 'myEmail', phone: 'myPhone' } as const;

const valueOf = async (change: ContactChange) =>
  change.contact === 'email' ? change.email : phoneText(change);

/** Returns the fields of a change that has to be asked for again. */
const typedAgain = ({ contact, email, dial_code, mobile }: ContactChange) =>
  contact === 'email' ? { email } : { country: '', dialCode: dial_code, phone: mobile };

const isRemoved = (wanted: WantedContact) => wanted.contact === 'phone' && wanted.mobile === '';
