import { consolePath } from '#domain/help-desk/console-paths.ts';
import { houseDesk as texts } from '#locales/operator/house-desk.ts';
import type { FullContext } from '../../access/context.ts';
import { listSubtenants } from '../../subtenants/subtenant-store.ts';
import type { DeskArea } from '../desk-area.ts';
import type { Staff } from '../staff.ts';
import type { HouseForms, HousePlace } from './house-forms.ts';
import { staffList } from './staff.ts';

const PATH = consolePath('house');
const PLACE: HousePlace = {
  path: PATH,
  isHouse: true,
  back: { href: PATH, label: texts.backToHouse },
};

/** Creates the pages of a house for its administrators: the house is that of the session's account, whatever the address says (HOU-03). */
export function houseArea(context: FullContext, forms: HouseForms): DeskArea {
  const { db } = context;
  const ownHouse = async ({ subtenantId }: Staff) =>
    (await listSubtenants(db)).find(({ id }) => id === subtenantId);

  return {
    area: 'house',
    texts: { title: texts.title, lead: '', empty: '', columns: [] },
    async sublist([verb, ...more], staff) {
      const row = verb === 'staff' && more.length === 0 && (await ownHouse(staff));
      return row ? staffList(context, row, PLACE) : null;
    },
    async form([verb, ...more], staff, query) {
      const row = await ownHouse(staff);
      if (!row || more.length > 0) return null;
      if (verb === undefined) {
        const done = Object.entries(texts.done).find(([word]) => word === query.get('done'));
        return forms.home(row, staff, PLACE, done?.[1]);
      }
      if (verb === 'look') return forms.look(row, PLACE);
      if (verb === 'logo') return forms.logo(row, PLACE);
      if (verb === 'back') return forms.putBack(row, PLACE);
      return verb === 'ask' ? forms.ask(row, PLACE) : null;
    },
    async page([verb, ...more], staff, { query }) {
      const row = verb === 'preview' && more.length === 0 && (await ownHouse(staff));
      return row ? forms.preview(row, staff.name, query, true) : null;
    },
  };
}
