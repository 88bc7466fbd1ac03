import type { ListRow } from '#contract/console.ts';
import { fill } from '#locales/fill.ts';
import { promoCodesDesk as texts } from '#locales/operator/console-areas.ts';
import { server } from '#locales/operator/server.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import {
  addPromoCode,
  endOfDay,
  promoCodeIn,
  setPromoCode,
  promoCodeUses,
} from '../../sign-up/promo-code-operations.ts';
import type { FullContext } from '../../access/context.ts';
import { listPromoCodes, type PromoCode } from '../../sign-up/promo-codes.ts';
import { type DeskArea, type DeskForm, formsOf, searchedList } from '../desk-area.ts';
import { field, readFields, type Typed } from '../form-fields.ts';

const PATH = consolePath('promoCodes');

/** Creates the operators' pages of promo codes, over the functions of `porchlight promo`. */
export function promoCodesArea({ db, clock }: FullContext): DeskArea {
  function rowOf({ code, validUntil, maxUses, used }: PromoCode): ListRow {
    const isOver = validUntil !== null && validUntil <= clock.now();
    const isUsedUp = maxUses !== null && used >= maxUses;
    const own = `${PATH}/${encodeURIComponent(code)}`;
    return {
      id: code,
      cells: [
        code,
        isOver
          ? { text: texts.isOver, tone: 'off' }
          : isUsedUp
            ? { text: texts.isUsedUp, tone: 'wait' }
            : { text: texts.isGood, tone: 'ok' },
        validUntil ? { at: validUntil.getTime() } : server.promoNever,
        maxUses === null ? server.promoAnyNumber : String(maxUses),
        String(used),
      ],
      actions: [
        { label: texts.change, href: `${own}/set` },
        ...(isOver ? [] : [{ label: texts.end, href: `${own}/end` }]),
      ],
    };
  }

  const add: DeskForm = {
    title: texts.addTitle,
    changes: [texts.addChanges],
    submit: texts.addTitle,
    fields: [
      field('text', 'promoCode', texts.code, { hint: texts.codeHint }),
      ...termFields(null, null),
    ],
    async run({ typed, admin }) {
      const { promoCode, ...terms } = await readFields({
        promoCode: () => promoCodeIn(typed.promoCode ?? ''),
        ...termReaders(typed),
      });
      await addPromoCode(admin, promoCode, { validUntil: terms.until, maxUses: terms.uses });
    },
  };

  const set = ({ code, validUntil, maxUses }: PromoCode): DeskForm => ({
    title: fill(texts.setTitle, { code }),
    changes: [texts.setChanges],
    submit: texts.save,
    fields: termFields(validUntil, maxUses),
    async run({ typed, admin }) {
      const { until, uses } = await readFields(termReaders(typed));
      await setPromoCode(admin, code, { validUntil: until, maxUses: uses });
    },
  });

  const end = ({ code }: PromoCode): DeskForm => ({
    title: fill(texts.endTitle, { code }),
    changes: [fill(texts.endChanges, { code })],
    submit: texts.end,
    isGrave: true,
    run: ({ admin }) => setPromoCode(admin, code, { validUntil: clock.now() }),
  });

  return {
    area: 'promoCodes',
    list: searchedList(
      texts.code,
      async () => (await listPromoCodes(db)).map(rowOf),
      () => [{ label: texts.addTitle, href: `${PATH}/add` }],
    ),
    texts: texts.list,
    form: formsOf(
      { add },
      async (word) => (await listPromoCodes(db)).find(({ code }) => code === word),
      { set, end },
    ),
  };
}

const termFields = (validUntil: Date | null, maxUses: number | null) => [
  field('date', 'until', texts.until, {
    hint: texts.untilHint,
    value: validUntil?.toISOString().slice(0, 10) ?? '',
  }),
  field('number', 'uses', texts.uses, {
    hint: texts.usesHint,
    value: maxUses === null ? '' : String(maxUses),
  }),
];

const termReaders = ({ until = '', uses = '' }: Typed) => ({
  until: () => (until === '' ? null : endOfDay(until)),
  uses: () => (uses === '' ? null : promoCodeUses(uses)),
});
