import type { AccountAppCode } from '#contract/my-account.ts';
import { inGroups } from '#domain/proofs/authenticator.ts';
import { codeIn } from '#domain/proofs/otp.ts';
import { pathOf, type ScreenName } from '#domain/flow/screens.ts';
import type { ActiveAccount } from '../accounts/account-store.ts';
import {
  confirmByCode,
  keyToConfirm,
  renewRecoveryCodes,
  startAppCode,
  stopAppCode,
  takeAppCode,
} from '../access/authenticator.ts';
import { whileFresh } from '../access/freshness.ts';
import { countRecoveryCodes, findAppCode } from '../proofs/authenticator/app-code-store.ts';
import { qrCodeOf } from '../proofs/authenticator/qr-code.ts';
import { setUpAddress } from '../proofs/authenticator/totp.ts';
import type { Session } from '../core/context.ts';
import type { FullContext } from '../access/context.ts';
import { AppError } from '../http/app-error.ts';
import {
  type AccountForm,
  type AccountForms,
  idsOf,
  type Me,
  problemOf,
  textOf,
} from '../forms/account-page.ts';
import type { Subtenants } from '../subtenants/subtenants.ts';

type Deps = {
  readonly subtenants: Pick<Subtenants, 'shown'>;
};

type Run = (
  context: FullContext,
  session: Session,
  sent: FormData,
) => ReturnType<AccountForm['run']>;

/** Creates the page 'Codes from an app', and its forms. */
export function createAppCodePage(context: FullContext, { subtenants }: Deps) {
  const { db, clock, config } = context;
  const page = pathOf('myAppCodes');

  /** Returns the key to set up, as a picture and as text. */
  async function toSetUp({ email, subtenant_id }: ActiveAccount, session: Session) {
    const waiting = await keyToConfirm(context, session);
    if (!waiting) return null;
    const { name } = await subtenants.shown(subtenant_id);
    const address = setUpAddress(waiting.key, name, email);
    return { key: inGroups(waiting.key), qr: qrCodeOf(address) };
  }

  const runs: Readonly<Record<string, Run>> = {
    async start(own, session) {
      if (!config.offersAppCodes) throw new AppError('BAD_REQUEST');
      await startAppCode(own, session);
      return { page };
    },
    async stop(own, session) {
      await stopAppCode(own, session);
      return { page };
    },
    async confirm(own, session, sent) {
      const codes = await confirmByCode(own, session, codeIn(textOf(sent, 'appCode')));
      if (typeof codes !== 'string') return shown(codes);
      return { problems: { appCode: problemOf(new AppError(codes)) } };
    },
    async renew(own, { userId }) {
      const codes = await renewRecoveryCodes(own, userId);
      return codes ? shown(codes) : { page };
    },
    async remove(own, { userId }) {
      await takeAppCode(own, userId);
      return { page };
    },
  };

  return {
    /** Returns the data of the page, and of its row in the list; the key to set up only on the page itself. */
    async read(
      account: ActiveAccount,
      screen: ScreenName,
      { me, isFresh }: { readonly me: Me; readonly isFresh: boolean },
    ): Promise<AccountAppCode | null> {
      const { id, hasAppCode } = account;
      if (!hasAppCode && !config.offersAppCodes) return null;
      const row = { isOn: hasAppCode, agoMs: 0, left: 0, setUp: null };
      if (screen !== 'myAppCodes') return row;
      const app = await findAppCode(db, id);
      if (!app) {
        const setUp = isFresh ? await toSetUp(account, idsOf(me)) : null;
        return { ...row, isOn: false, setUp };
      }
      const agoMs = Math.max(0, clock.now().getTime() - app.added_at.getTime());
      return { isOn: true, agoMs, left: await countRecoveryCodes(db, app.id), setUp: null };
    },

    forms: {
      myAppCodes: {
        asksProof: () => true,
        async run(me, sent) {
          const run = runs[textOf(sent, 'do')];
          if (!run) throw new AppError('BAD_REQUEST');
          const session = idsOf(me);
          return whileFresh(context, session, (own) => run({ ...context, db: own }, session, sent));
        },
      },
    } satisfies AccountForms,
  };
}

/** Recovery codes are in this one answer, and nowhere else. */
const shown = (codes: readonly string[]) => ({
  problems: {},
  recoveryCodes: codes.map(inGroups),
});
