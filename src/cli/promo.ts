import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/operator/server.ts';
import { listPromoCodes, parsePromoCode, savePromoCode } from '#server/sign-up/promo-codes.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import type { Db } from '#server/db/database.ts';
import { type Command, type Output, output, readWords, wrongUsage } from './command.ts';

const usage = () => wrongUsage('promo');

/** `porchlight promo list | add CODE [--until day] [--uses n]`: promo codes of the academy. */
export const promo: Command = (words) => {
  const { verb, name, until, uses } = parse(words);
  if (verb === 'list') return (at) => at.withDatabase(({ db }) => list(db));
  if (verb !== 'add') throw usage();

  const code = parsePromoCode(name);
  const validUntil = until === undefined ? null : endOfDay(until);
  const maxUses = uses === undefined ? null : Number(uses);
  const isNumber = maxUses === null || (Number.isSafeInteger(maxUses) && maxUses > 0);
  if (code === null || !isNumber) throw usage();
  return (at) =>
    at.withDatabase(({ db, audit }) =>
      db.transaction().execute(async (transaction) => {
        const isSaved = await savePromoCode(transaction, { code, validUntil, maxUses });
        if (!isSaved) throw new OperatorError(fill(texts.promoBelowUse, { code }));
        await audit({ kind: 'promo.saved', details: { code, validUntil, maxUses } }, transaction);
        return output([fill(texts.promoSaved, { code })], { code });
      }),
    );
};

async function list(db: Db): Promise<Output> {
  const codes = await listPromoCodes(db);
  const rows = codes.map(({ code, validUntil, maxUses, used }) =>
    [
      code,
      validUntil?.toISOString() ?? texts.promoNever,
      maxUses ?? texts.promoAnyNumber,
      used,
    ].join(', '),
  );
  return output([texts.promoHeader, ...rows], codes);
}

function parse(words: readonly string[]) {
  const string = { type: 'string' } as const;
  const { values, positionals } = readWords(words, { until: string, uses: string }, 'promo');
  const [verb = '', name = '', ...rest] = positionals;
  if (rest.length > 0) throw usage();
  return { verb, name, ...values };
}

/** The last moment of a day, UTC: a code that is good "until" a day is good on it. */
function endOfDay(text: string): Date {
  const end = new Date(`${text}T23:59:59.999Z`);
  // The 31st of February becomes no day, or one in March.
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(end.getTime());
  if (!isDay || !end.toISOString().startsWith(text)) throw usage();
  return end;
}
