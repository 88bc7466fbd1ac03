import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/operator/server.ts';
import { OperatorError } from '../config/operator-error.ts';
import { listPromoCodes, parsePromoCode, type PromoCode, savePromoCode } from './promo-codes.ts';
import type { AdminContext } from '../core/context.ts';
import { inTransaction } from '../db/in-transaction.ts';

type Context = Pick<AdminContext, 'db' | 'audit'>;

/** The end and the cap of a code; `null` for none. */
export type PromoTerms = Pick<PromoCode, 'validUntil' | 'maxUses'>;

/**
 * Adds a promo code.
 * @returns `already` when it exists with the same terms
 * @throws OperatorError when it exists with others
 */
export async function addPromoCode(
  context: Context,
  code: string,
  terms: PromoTerms,
): Promise<'saved' | 'already'> {
  const there = await findCode(context, code);
  if (!there) {
    await save(context, { code, ...terms });
    return 'saved';
  }
  const isSame =
    there.validUntil?.getTime() === terms.validUntil?.getTime() && there.maxUses === terms.maxUses;
  if (!isSame) throw new OperatorError(fill(texts.promoTaken, { code }));
  return 'already';
}

/** Changes the given terms of a promo code. @throws OperatorError */
export async function setPromoCode(context: Context, code: string, change: Partial<PromoTerms>) {
  const there = await findCode(context, code);
  if (!there) throw new OperatorError(fill(texts.promoUnknown, { code }));
  await save(context, { ...there, ...change });
}

async function save(
  { db, audit }: Context,
  { code, validUntil, maxUses }: PromoTerms & { readonly code: string },
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const isSaved = await savePromoCode(transaction, { code, validUntil, maxUses });
    if (!isSaved) throw new OperatorError(fill(texts.promoBelowUse, { code }));
    await audit({ kind: 'promo.saved', details: { code, validUntil, maxUses } }, transaction);
  });
}

const findCode = async ({ db }: Context, wanted: string) =>
  (await listPromoCodes(db)).find(({ code }) => code === wanted);

/** @throws OperatorError */
export function promoCodeIn(word: string): string {
  const code = parsePromoCode(word);
  if (code !== null) return code;
  if (word === '') throw new OperatorError(texts.promoNoCode);
  throw new OperatorError(fill(texts.promoBadCode, { code: word }));
}

/** @throws OperatorError */
export function promoCodeUses(text: string): number {
  const uses = Number(text);
  if (!Number.isSafeInteger(uses) || uses < 1) throw new OperatorError(texts.promoBadUses);
  return uses;
}

/** Returns the last moment of a day, UTC: a code that is good "until" a day is good on it. @throws OperatorError */
export function endOfDay(text: string): Date {
  const end = new Date(`${text}T23:59:59.999Z`);
  // The 31st of February becomes no day, or one in March.
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(end.getTime());
  if (!isDay || !end.toISOString().startsWith(text)) throw new OperatorError(texts.promoBadDay);
  return end;
}
