import type { ListRow } from '#contract/console.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { isHouseRole } from '#domain/help-desk/console-rights.ts';
import { ROLE_IDS, roleName } from '#domain/people/roles.ts';
import { fill } from '#locales/fill.ts';
import { deskTexts, subtenantsDesk as texts } from '#locales/operator/console-areas.ts';
import { tenantCommand } from '#locales/operator/tenant-command.ts';
import {
  addSubtenant,
  openSubtenant,
  subtenantIdIn,
  subtenantNameIn,
} from '../../subtenants/subtenant-operations.ts';
import { qrCodeOf } from '../../proofs/authenticator/qr-code.ts';
import type { FullContext } from '../../access/context.ts';
import { readAccountByEmail } from '../../accounts/account-store.ts';
import {
  addAdministrator,
  houseRolesOf,
  listAdministrators,
  setHouseRoles,
} from '../../people/house.ts';
import { removeAdministrator } from '../../people/remove-administrator.ts';
import { textedNameHint } from '../../notifications/sms-text.ts';
import { listSubtenants, type SubtenantRow } from '../../subtenants/subtenant-store.ts';
import { type DeskArea, type DeskForm, formsOf, searchedList } from '../desk-area.ts';
import { field, FieldProblems, linkTo, optionsOf, readFields } from '../form-fields.ts';
import {
  accentField,
  type HouseForms,
  type HousePlace,
  languageField,
  languageName,
  lookReaders,
} from './house-forms.ts';
import { staffList } from './staff.ts';

const PATH = consolePath('subtenants');

/** Creates the operators' pages of subtenants, over the functions of `porchlight subtenant`. */
export function subtenantsArea(context: FullContext, forms: HouseForms): DeskArea {
  const { db, config } = context;

  const add: DeskForm = {
    title: texts.addTitle,
    changes: [texts.addChanges],
    submit: texts.addTitle,
    fields: [
      field('number', 'subtenantId', texts.id, { hint: texts.idHint }),
      field('text', 'name', texts.name),
      accentField(null),
      languageField(null),
    ],
    async run({ typed, admin }) {
      const { subtenantId, ...given } = await readFields({
        subtenantId: () => subtenantIdIn(typed.subtenantId ?? ''),
        name: () => subtenantNameIn(typed.name ?? ''),
        ...lookReaders(typed),
      });
      await addSubtenant(admin, subtenantId, given);
      return { page: `${PATH}/${subtenantId}/links` };
    },
  };

  const linksOf = ({ id, name, language, logo_path: logo }: SubtenantRow): DeskForm => {
    const door = (label: string, path: string) => {
      const href = `${config.publicUrl}${path}?subtenantId=${id}`;
      return { label, href, qr: qrCodeOf(href) };
    };
    const lead = fill(texts.linksLead, { language: languageName(language) });
    const told = {
      lines: [lead, textedNameHint(context, name) ?? []].flat(),
      doors: [door(texts.signUpLink, pathOf('signUp')), door(texts.signInLink, pathOf('signIn'))],
      logo,
    };
    return { title: name, told };
  };

  const setOpen = ({ id, name }: SubtenantRow, isOpen: boolean): DeskForm => ({
    title: fill(isOpen ? texts.openTitle : texts.closeTitle, { name }),
    changes: [isOpen ? texts.openChanges : texts.closeChanges],
    submit: isOpen ? texts.open : texts.close,
    isGrave: !isOpen,
    run: ({ admin }) => openSubtenant(admin, id, isOpen),
  });

  const placeOf = ({ id }: SubtenantRow): HousePlace => ({
    path: `${PATH}/${id}`,
    isHouse: false,
    back: { href: PATH, label: fill(deskTexts.backTo, { list: texts.list.title }) },
  });

  /** Administrators and the list of roles, in one form. */
  const rightsOf = async ({ id, name }: SubtenantRow): Promise<DeskForm> => {
    const there = await listAdministrators(db, id);
    const listed = await houseRolesOf(db, id);
    const roles = ROLE_IDS.filter((role) => isHouseRole(role, id, config.console));
    const options = there.map((each) => ({
      value: String(each.id),
      label: `${each.name}, ${each.email}`,
    }));
    return {
      title: fill(texts.rights.title, { name }),
      changes: texts.rights.changes,
      submit: texts.save,
      fields: [
        field('text', 'add', texts.rights.add, { inputMode: 'email' }),
        ...(there.length > 0 ? [field('checks', 'remove', texts.rights.remove, { options })] : []),
        field('checks', 'roles', texts.rights.roles, {
          value: listed.join(' '),
          options: optionsOf(roles, roleName),
        }),
      ],
      async run({ typed, staff, admin }) {
        const { add = '', remove = '', roles: ticked = '' } = typed;
        const wanted = roles.filter((role) => ticked.split(' ').includes(String(role)));
        await db.transaction().execute(async (transaction) => {
          const own = { ...admin, db: transaction };
          const removed = there.filter((each) => remove.split(' ').includes(String(each.id)));
          for (const each of removed) await removeAdministrator(own, each.id);
          if (add !== '') {
            const account = await readAccountByEmail(transaction, add);
            if (account?.subtenant_id !== id)
              throw new FieldProblems({ add: texts.rights.notHere });
            await addAdministrator(own, account.id, staff.id);
          }
          if (wanted.join() !== listed.join()) await setHouseRoles(own, id, wanted);
        });
      },
    };
  };

  const find = async (word: string) =>
    (await listSubtenants(db)).find(({ id }) => String(id) === word);

  return {
    area: 'subtenants',
    texts: texts.list,
    list: searchedList(
      texts.search,
      async () => (await listSubtenants(db)).map(subtenantRow),
      () => [linkTo(texts.addTitle, 'subtenants', 'add')],
    ),
    async sublist([word = '', verb, ...more]) {
      const row = verb === 'staff' && more.length === 0 ? await find(word) : undefined;
      return row ? staffList(context, row, placeOf(row)) : null;
    },
    form: formsOf({ add }, find, {
      look: (row) => forms.look(row, placeOf(row)),
      logo: (row) => forms.logo(row, placeOf(row)),
      house: (row, staff) => forms.home(row, staff, placeOf(row)),
      rights: rightsOf,
      links: linksOf,
      open: (row) => setOpen(row, true),
      close: (row) => setOpen(row, false),
    }),
    async page([word = '', verb, ...more], staff, { query }) {
      if (verb !== 'preview' || more.length > 0) return null;
      const row = await find(word);
      return row ? forms.preview(row, staff.name, query) : null;
    },
  };
}

function subtenantRow({ id, name, accent, language, is_active: isOpen }: SubtenantRow): ListRow {
  const to = (label: string, verb: string) => linkTo(label, 'subtenants', id, verb);
  return {
    id: String(id),
    cells: [
      name,
      String(id),
      accent ?? tenantCommand.noAccent,
      languageName(language),
      isOpen ? { text: texts.isOpen, tone: 'ok' } : { text: texts.isClosed, tone: 'off' },
    ],
    actions: [
      to(texts.links, 'links'),
      to(texts.change, 'look'),
      to(texts.logo, 'logo'),
      to(texts.house, 'house'),
      to(texts.rights.link, 'rights'),
      isOpen ? to(texts.close, 'close') : to(texts.open, 'open'),
    ],
  };
}
