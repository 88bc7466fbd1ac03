import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/operator/server.ts';
import {
  listPromoCodes,
  parsePromoCode,
  type PromoCode,
  savePromoCode,
} from '#server/sign-up/promo-codes.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { type CommandContext, type CommandOf, type Output, output, table } from './command.ts';

type End = Pick<PromoCode, 'validUntil' | 'maxUses'>;
type Words = { readonly until?: string; readonly uses?: string };

/** `porchlight promo`: promo codes of the academy. */
export const promo: CommandOf<'promo'> = {
  list: () => (at) => at.withDatabase(list),

  add([word = ''], words) {
    const code = codeIn(word);
    const { validUntil = null, maxUses = null } = endIn(words);
    return (at) =>
      at.withDatabase(async (context) => {
        const there = await findCode(context, code);
        if (!there) return save(context, { code, validUntil, maxUses });
        const isSame =
          there.validUntil?.getTime() === validUntil?.getTime() && there.maxUses === maxUses;
        if (!isSame) throw new OperatorError(fill(texts.promoTaken, { code }));
        return output([fill(texts.promoAlready, { code })], { code });
      });
  },

  set([word = ''], words) {
    const code = codeIn(word);
    const change = endIn(words);
    if (Object.keys(change).length === 0) throw new OperatorError(texts.promoNothing);
    return (at) =>
      at.withDatabase(async (context) => {
        const there = await findCode(context, code);
        if (!there) throw new OperatorError(fill(texts.promoUnknown, { code }));
        return save(context, { ...there, ...change });
      });
  },
};

async function save(
  { db, audit }: CommandContext,
  { code, validUntil, maxUses }: End & { readonly code: string },
): Promise<Output> {
  return db.transaction().execute(async (transaction) => {
    const isSaved = await savePromoCode(transaction, { code, validUntil, maxUses });
    if (!isSaved) throw new OperatorError(fill(texts.promoBelowUse, { code }));
    await audit({ kind: 'promo.saved', details: { code, validUntil, maxUses } }, transaction);
    return output([fill(texts.promoSaved, { code })], { code });
  });
}

async function list({ db }: CommandContext): Promise<Output> {
  const codes = await listPromoCodes(db);
  const rows = codes.map(({ code, validUntil, maxUses, used }) => [
    code,
    validUntil?.toISOString() ?? texts.promoNever,
    maxUses ?? texts.promoAnyNumber,
    used,
  ]);
  return output(table(texts.promoHeader, rows), codes);
}

const findCode = async ({ db }: CommandContext, wanted: string) =>
  (await listPromoCodes(db)).find(({ code }) => code === wanted);

function codeIn(word: string): string {
  const code = parsePromoCode(word);
  if (code === null) throw new OperatorError(fill(texts.promoBadCode, { code: word }));
  return code;
}

function endIn({ until, uses }: Words): Partial<End> {
  return {
    ...(until !== undefined && { validUntil: until === 'none' ? null : endOfDay(until) }),
    ...(uses !== undefined && { maxUses: uses === 'none' ? null : usesIn(uses) }),
  };
}

function usesIn(text: string): number {
  const uses = Number(text);
  if (!Number.isSafeInteger(uses) || uses < 1) throw new OperatorError(texts.promoBadUses);
  return uses;
}

/** Returns the last moment of a day, UTC: a code that is good "until" a day is good on it. */
function endOfDay(text: string): Date {
  const end = new Date(`${text}T23:59:59.999Z`);
  // The 31st of February becomes no day, or one in March.
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(end.getTime());
  if (!isDay || !end.toISOString().startsWith(text)) throw new OperatorError(texts.promoBadDay);
  return end;
}
