import { fill } from '#locales/fill.ts';
import { keyCommand } from '#locales/operator/key-command.ts';
import { keysDesk as texts } from '#locales/operator/console-areas.ts';
import { keyStateText, keyUseIn, listKeys, rotateKeys } from '../../crypto/key-operations.ts';
import type { FullContext } from '../../access/context.ts';
import { KEY_USES } from '../../crypto/rotation-schedule.ts';
import { createSigningKeyStore } from '../../crypto/signing-key-store.ts';
import { type DeskArea, type DeskForm, formsOf, pageOf } from '../desk-area.ts';
import { field, linkTo, optionsOf } from '../form-fields.ts';

const TONES = { next: 'wait', signs: 'ok', verifies: 'ok', over: 'off' } as const;

/** Creates the operators' pages of signing keys, over the functions of `porchlight keys`. */
export function keysArea(context: FullContext): DeskArea {
  const minute = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

  const rotate: DeskForm = {
    title: texts.rotateTitle,
    changes: texts.rotateChanges,
    submit: texts.rotateTitle,
    fields: [
      field('select', 'use', texts.use, {
        options: [{ value: '', label: texts.every }, ...optionsOf(KEY_USES)],
      }),
      field('check', 'hurry', texts.hurry, { hint: texts.hurryHint }),
    ],
    async run({ typed: { use = '', hurry }, admin }) {
      await rotateKeys(admin, use === '' ? [] : [keyUseIn(use)], hurry === 'on');
    },
  };

  return {
    area: 'keys',
    texts: { ...texts.list, empty: keyCommand.noKeys },
    list: {
      isPersonal: false,
      links: () => [linkTo(texts.rotateTitle, 'keys', 'rotate')],
      async read(asked) {
        const rows = (await listKeys(context)).map((key) => ({
          id: key.kid,
          cells: [
            key.kid,
            key.use,
            String(key.generation),
            { text: keyStateText(key, minute), tone: TONES[key.state] },
            key.isUnderEarlierSecret ? keyCommand.earlierSecret : texts.present,
          ],
          actions:
            key.state === 'signs'
              ? []
              : [linkTo(texts.retire, 'keys', encodeURIComponent(key.kid), 'retire')],
        }));
        return pageOf(rows, asked);
      },
    },
    form: formsOf(
      { rotate },
      async (word) => (await listKeys(context)).find(({ kid }) => kid === word),
      {
        retire: ({ kid, use }) => ({
          title: fill(texts.retireTitle, { kid }),
          changes: [fill(texts.retireChanges, { use })],
          submit: texts.retire,
          isGrave: true,
          async run({ admin }) {
            await createSigningKeyStore(admin).retire(kid);
          },
        }),
      },
    ),
  };
}
