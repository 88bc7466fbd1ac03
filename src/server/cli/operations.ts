import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/en/server.ts';
import type { Db } from '../db/database.ts';
import { exportSurvey } from '../catalog/survey-export.ts';
import { OperatorError } from '../config/operator-error.ts';
import { listPromoCodes, parsePromoCode, savePromoCode } from '../accounts/promo-codes.ts';

/** Reads its options before anything is opened, and then answers with what is printed. */
type Command = (options: Options) => (db: Db) => Promise<string>;
type Options = {
  readonly names: readonly string[];
  readonly out: string | undefined;
  readonly until: string | undefined;
  readonly uses: string | undefined;
};

const usage = () => new OperatorError(texts.operateUsage);

const COMMANDS: Readonly<Record<string, Command>> = {
  'survey export':
    ({ out }) =>
    async (db) => {
      const csv = await exportSurvey(db);
      if (out === undefined) return csv;
      // Names and addresses: for the operator's eyes.
      writeFileSync(out, csv, { mode: 0o600 });
      return `${fill(texts.surveyWritten, { file: out, count: csv.split('\r\n').length - 2 })}\n`;
    },
  'promo list': () => async (db) => {
    const rows = (await listPromoCodes(db)).map(({ code, validUntil, maxUses, used }) =>
      [
        code,
        validUntil?.toISOString() ?? texts.promoNever,
        maxUses ?? texts.promoAnyNumber,
        used,
      ].join(', '),
    );
    return `${[texts.promoHeader, ...rows].join('\n')}\n`;
  },
  'promo add': ({ names: [name = ''], until, uses }) => {
    const code = parsePromoCode(name);
    const validUntil = until === undefined ? null : endOfDay(until);
    const maxUses = uses === undefined ? null : Number(uses);
    const isNumber = maxUses === null || (Number.isSafeInteger(maxUses) && maxUses > 0);
    if (code === null || !isNumber) throw usage();
    return async (db) => {
      const isSaved = await savePromoCode(db, { code, validUntil, maxUses });
      if (!isSaved) throw new OperatorError(fill(texts.promoBelowUse, { code }));
      return `${fill(texts.promoSaved, { code })}\n`;
    };
  },
};

/** The last moment of a day, UTC: a code that is good "until" a day is good on it. */
function endOfDay(text: string): Date {
  const end = new Date(`${text}T23:59:59.999Z`);
  // The 31st of February becomes no day, or one in March.
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(end.getTime());
  if (!isDay || !end.toISOString().startsWith(text)) throw usage();
  return end;
}

/** What the words of a command line ask for. @throws StartError that says how it is meant */
export function readCommand(args: readonly string[]): ReturnType<Command> {
  const string = { type: 'string' } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { out: string, until: string, uses: string },
    });
    const [topic = '', verb = '', ...names] = positionals;
    const command = COMMANDS[`${topic} ${verb}`];
    if (!command) throw usage();
    const { out, until, uses } = values;
    return command({ names, out, until, uses });
  } catch {
    throw usage();
  }
}
