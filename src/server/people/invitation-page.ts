import type { LinkedInvitation, MailLink } from '#contract/my-account.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import { checkNewPassword } from '#domain/proofs/new-password.ts';
import { textsIn } from '#locales/catalogue.ts';
import { fill } from '#locales/fill.ts';
import type { Language } from '#locales/languages.ts';
import { houseDesk } from '#locales/operator/house-desk.ts';
import {
  accountRecipient,
  newAccountId,
  readAccount,
  shownNameOf,
} from '../accounts/account-store.ts';
import type { FullContext } from '../access/context.ts';
import { OVER } from '../contacts/staff-change-page.ts';
import { signOut } from '../access/sessions.ts';
import { type Me, problemOf, problemsOf, textOf } from '../forms/account-page.ts';
import { roleWords } from '../notifications/role-words.ts';
import type { Passwords } from '../identity-provider/port.ts';
import type { IsGuessable } from '../proofs/password/guessable-password.ts';
import { AppError } from '../http/app-error.ts';
import { tellOperators } from './house-notes.ts';
import {
  acceptInvitation,
  answerOf,
  declineInvitation,
  type OpenInvitation,
  openInvitation,
} from './invitations.ts';

type Ports = {
  readonly passwords: Passwords;
  readonly isGuessable: IsGuessable;
  /** Returns the organisation by which the person could come in; `null` for none. */
  readonly organisationOf: (
    invitation: OpenInvitation,
  ) => Promise<LinkedInvitation['organisation']>;
};

/** The signed-in person of the page, and its language. */
type Reader = { readonly me: Me | null; readonly language: Language };

type Answer = { readonly page: string } | { readonly link: MailLink };

/** Creates the page of an invitation's link: opening it changes nothing, and a signed-in person stays as they are. */
export function createInvitationPage(context: FullContext, ports: Ports) {
  const { db, outbox } = context;

  async function shown(
    invitation: OpenInvitation,
    key: string,
    { me, language }: Reader,
    problems: LinkedInvitation['problems'] = {},
  ): Promise<MailLink> {
    const { sender, house, email, role_id: id } = invitation;
    const role = roleWords(textsIn(language), id);
    const account = me && (await readAccount(db, me.loggedInUserId));
    const by = await ports.organisationOf(invitation);
    const organisation = by && { id: by.id, label: by.label };
    const signedInAs = account ? shownNameOf(account) : null;
    return {
      ...OVER,
      state: 'open',
      invitation: { by: sender.name, house, role, email, key, organisation, signedInAs, problems },
    };
  }

  /** An answered one says so: a second press, or the mail a day later, is no error. */
  const closed = async (key: string): Promise<MailLink> => {
    const answer = await answerOf(context, key);
    return answer ? { ...OVER, state: answer } : OVER;
  };

  async function setPassword(
    invitation: OpenInvitation,
    key: string,
    sent: FormData,
    by: Reader,
  ): Promise<Answer> {
    const [password, confirmPassword] = [textOf(sent, 'password'), textOf(sent, 'confirmPassword')];
    const checked = checkNewPassword({ password, confirmPassword });
    if (!checked.isValid) {
      return { link: await shown(invitation, key, by, problemsOf(checked.problems)) };
    }
    const id = newAccountId();
    const { email, first_name, last_name, subtenant_id } = invitation;
    const owner = { id, email, first_name, last_name, subtenant_id, dial_code: '', mobile: '' };
    try {
      if (await ports.isGuessable(password, owner)) throw new AppError('PASSWORD_GUESSABLE');
      const credentials = { ...owner, password_hash: null, hosted_user_id: null };
      const change = await ports.passwords.change(credentials, password);
      const account = await acceptInvitation(
        context,
        { key },
        async (own, added) => {
          await change(own.db);
          const to = accountRecipient(added);
          await own.notifications.passwordChanged(own.db, to, String(id), { isFirst: true });
        },
        id,
      );
      if (!account) return { link: await closed(key) };
    } catch (error) {
      return { link: await shown(invitation, key, by, { password: problemOf(error) }) };
    }
    outbox.wake();
    return { page: pageAfter(invitation, key) };
  }

  /** Ends the invitation, and tells operators. */
  async function decline(invitation: OpenInvitation, key: string): Promise<Answer> {
    const { id, house, sender } = invitation;
    await db.transaction().execute(async (transaction) => {
      const own = { ...context, db: transaction };
      if (!(await declineInvitation(own, invitation))) return;
      const page = `${context.config.publicUrl}${consolePath('people', sender.id)}`;
      const words = { who: sender.name, house, page };
      const { subject, line } = houseDesk.declinedNote;
      const note = { subject, lines: [fill(line, words)] };
      await tellOperators(own, transaction, note, `declined:${id}`);
    });
    outbox.wake();
    return { page: pageAfter(invitation, key) };
  }

  return {
    /** Returns what the page of a link shows. */
    async read(key: string, by: Reader): Promise<MailLink> {
      const invitation = await openInvitation(context, { key });
      return invitation ? shown(invitation, key, by) : closed(key);
    },

    /** Declines, signs the person of this browser out, or begins the account by the typed password. */
    async submit(key: string, sent: FormData, by: Reader): Promise<Answer> {
      const invitation = await openInvitation(context, { key });
      if (!invitation) return { link: await closed(key) };
      const { me } = by;
      const what = textOf(sent, 'do');
      if (what === 'decline') return decline(invitation, key);
      if (what === 'signOut') {
        if (me) await signOut(context, { id: me.loggedInUserId }, me.signInId);
        outbox.wake();
        return { page: pageAfter(invitation, key) };
      }
      if (me) return { link: await shown(invitation, key, by) };
      return setPassword(invitation, key, sent, by);
    },
  };
}

/** Returns the address of the page in the look of its house. */
const pageAfter = ({ subtenant_id: id }: OpenInvitation, key: string) =>
  `${pathOf('invitation')}?${String(new URLSearchParams({ key, subtenantId: String(id) }))}`;
