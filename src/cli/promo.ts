import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/operator/server.ts';
import {
  addPromoCode,
  endOfDay,
  promoCodeIn,
  type PromoTerms,
  setPromoCode,
  promoCodeUses,
} from '#server/sign-up/promo-code-operations.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { listPromoCodes, type PromoCode } from '#server/sign-up/promo-codes.ts';
import { type CommandOf, tableLines, onDatabase, output } from './command.ts';

type Words = { readonly until?: string; readonly uses?: string };

/** `porchlight promo`: promo codes of the academy. */
export const promo: CommandOf<'promo'> = {
  list: () =>
    onDatabase(async ({ db }) =>
      tableLines(await listPromoCodes(db), texts.promoHeader, promoCodeCells),
    ),

  add([word = ''], words) {
    const code = promoCodeIn(word);
    const { validUntil = null, maxUses = null } = termsIn(words);
    return onDatabase(async (context) => {
      const outcome = await addPromoCode(context, code, { validUntil, maxUses });
      const said = outcome === 'saved' ? texts.promoSaved : texts.promoAlready;
      return output([fill(said, { code })], { code });
    });
  },

  set([word = ''], words) {
    const code = promoCodeIn(word);
    const change = termsIn(words);
    if (Object.keys(change).length === 0) throw new OperatorError(texts.promoNothing);
    return onDatabase(async (context) => {
      await setPromoCode(context, code, change);
      return output([fill(texts.promoSaved, { code })], { code });
    });
  },
};

const promoCodeCells = ({ code, validUntil, maxUses, used }: PromoCode) => [
  code,
  validUntil?.toISOString() ?? texts.promoNever,
  maxUses ?? texts.promoAnyNumber,
  used,
];

const termsIn = ({ until, uses }: Words): Partial<PromoTerms> => ({
  ...(until !== undefined && { validUntil: until === 'none' ? null : endOfDay(until) }),
  ...(uses !== undefined && { maxUses: uses === 'none' ? null : promoCodeUses(uses) }),
});
