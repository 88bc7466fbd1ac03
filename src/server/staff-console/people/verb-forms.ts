import { checksOf, type FormField, type ToldWords } from '#contract/console.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import {
  type ConsoleVerb,
  isNote,
  mayInvite,
  needsProof,
  type VerbRest,
} from '#domain/help-desk/console-verbs.ts';
import { isRoleId, type RoleId, ROLE_IDS, ROLES } from '#domain/people/roles.ts';
import { checkName } from '#domain/typed/sign-up-form.ts';
import { consoleTexts as texts } from '#locales/operator/console.ts';
import { fill } from '#locales/fill.ts';
import { houseDesk } from '#locales/operator/house-desk.ts';
import { fields as fieldTexts } from '#texts/fields.ts';
import { INVITATION_MS } from '../../people/invitations.ts';
import type { Audit } from '../../audit/audit.ts';
import type { DeedContext, FullContext } from '../../access/context.ts';
import { later } from '../../core/clock.ts';
import { randomId } from '../../crypto/secret-box.ts';
import type { Db } from '../../db/database.ts';
import type { Caller } from '../../http/visit-cookie.ts';
import type { Notifications } from '../../notifications/notifications.ts';
import { plainName } from '../../notifications/greeting.ts';
import { looksLikeLink } from '../../subtenants/house-names.ts';
import type { createConsole, FormAnswer } from '../console.ts';
import { field, FieldProblems, filled, readFields, type Typed } from '../form-fields.ts';
import type { Looks } from '../looks.ts';
import type { AnswerForm } from '../answer-form.ts';
import { staffAudit, type Staff } from '../staff.ts';
import { type createMailPreview, queueNotice } from './mail-preview.ts';
import { type Person, readPerson } from './person.ts';
import {
  inviteListed,
  EMAIL_FIELD,
  typedEmail,
  type Reason,
  roleField,
  typedRole,
  VERBS,
  type Verb,
  type VerbPorts,
  type VerbRun,
} from './verbs.ts';

type Deps = {
  readonly pages: Pick<ReturnType<typeof createConsole>, 'describe'>;
  readonly ports: VerbPorts;
  readonly noNotifications: Notifications;
  readonly answerForm: AnswerForm;
  readonly preview: ReturnType<typeof createMailPreview>;
  readonly looks: Pick<Looks, 'person'>;
};

type Sent = {
  readonly sent: FormData | null;
  readonly caller: Caller;
};

/** A form of a verb: what is the same on a person and for somebody new. */
type VerbForm = {
  readonly verb: ConsoleVerb;
  readonly path: string;
  readonly person: Person | null;
  readonly rest: VerbRest | null;
  readonly fields: readonly FormField[];
  readonly told: (typed: Typed) => Promise<ToldWords | null>;
  /** Reads the fields, and returns what the form does. @throws FieldProblems; the run AppError, too: the form shows both */
  readonly read: (typed: Typed) => Promise<(reason: Reason) => Promise<FormAnswer>>;
};

const NOT_YOURS = { content: { kind: 'message', message: 'notYours' } } as const;
const NOTE = field('text', 'note', texts.note, { hint: texts.noteHint });
const REASON: readonly FormField[] = [field('text', 'how', ''), NOTE];

const FIRST_NAME = field('text', 'firstName', texts.firstName);
const LAST_NAME = field('text', 'lastName', texts.lastName);

/** Creates the pages of verbs: each asks how the caller is known, shows what changes, and does it. */
export function createVerbForms(
  context: FullContext,
  { pages, ports, noNotifications, answerForm, preview, looks }: Deps,
) {
  const { config, db, outbox } = context;

  /** The context of the deeds whose events name the staff member and the reason. */
  function adminOf(transaction: Db, staff: Staff, { how, note }: Reason): DeedContext {
    const write = staffAudit(context, staff);
    const audit: Audit = (event, at) =>
      write({ ...event, details: { ...event.details, how, ...(note && { note }) } }, at);
    return {
      ...context,
      db: transaction,
      audit,
      ...(how === 'died' && { notifications: noNotifications }),
    };
  }

  /** Shows the form of a verb, or runs it. One that rests only says why. */
  function answer(staff: Staff, form: VerbForm, { sent, caller }: Sent): Promise<FormAnswer> {
    const { verb, path, person, rest } = form;
    return answerForm(
      staff,
      {
        path,
        fields: [...REASON, ...form.fields],
        asksProof: needsProof(verb) ? 'first' : 'never',
        async draw({ typed, problems, problem, proof }) {
          if (person) await looks.person(staff, person.account.id);
          const [note = NOTE] = filled([NOTE], typed, problems);
          return {
            kind: 'verb',
            verb,
            person: person && (await pages.describe(person)),
            rest,
            told: await form.told(typed),
            fields: filled(form.fields, typed, problems),
            how: { value: typed.how ?? '', problem: problems.how ?? null },
            note,
            problem,
            ...proof,
          };
        },
        async run(typed) {
          const { reason, act } = await readFields({
            reason: () => reasonIn(verb, typed),
            act: () => form.read(typed),
          });
          const answered = await act(reason);
          outbox.wake();
          return answered;
        },
      },
      rest === null ? sent : null,
      caller,
    );
  }

  /** Shows the form of a verb on a person, or runs it. */
  async function onPerson(
    staff: Staff,
    verb: keyof typeof VERBS,
    id: number,
    { sent, caller }: Sent,
  ): Promise<FormAnswer> {
    const person = await readPerson(context, staff, id);
    const rest = person?.verbs.get(verb);
    if (!person || rest === undefined) return NOT_YOURS;
    const { account, resendable } = person;
    const row = VERBS[verb];
    const fields = row.fields?.(person, roleHint(staff)) ?? [];
    const form: VerbForm = {
      verb,
      path: consolePath('people', id, verb),
      person,
      rest,
      fields,
      told: (typed) => preview(row, { account, resendable, role: chosenRole(fields, typed) }),
      async read(typed) {
        const act = await row.deed(typed, person);
        const told = { account, role: chosenRole(fields, typed), cause: randomId() };
        return async (reason) => {
          const transact: VerbRun['transact'] = (work) =>
            db.transaction().execute(async (transaction) => {
              const admin = adminOf(transaction, staff, reason);
              const did = await work(admin);
              if (did !== 'already') await queueNotice(admin.notifications, transaction, row, told);
              return did;
            });
          const run = { ...ports, context, person, staff, ip: caller.ip, reason, transact };
          const did = await act(run);
          if (typeof did === 'object') return did;
          if (verb === 'erase') return { page: consolePath('people') };
          return { page: `${consolePath('people', id)}?${did}=${verb}` };
        };
      },
    };
    return answer(staff, form, { sent, caller });
  }

  /** Returns why an administrator is offered the roles of a help desk only: the house's list is empty. */
  const roleHint = ({ role, houseRoles }: Staff): string | undefined =>
    role === 'administrator' && houseRoles.length === 0
      ? fill(houseDesk.home.noRoles, { phone: config.help.phone })
      : undefined;

  /** Shows the form that invites a person to the own house, or runs it. */
  async function invite(staff: Staff, asked: Sent): Promise<FormAnswer> {
    const { subtenantId } = staff;
    const roles = ROLE_IDS.filter(
      (each) => ROLES[each].entry !== null && mayInvite(staff, each, config.console),
    );
    const fields = [FIRST_NAME, LAST_NAME, EMAIL_FIELD, roleField(roles)];
    const form: VerbForm = {
      verb: 'invite',
      path: consolePath('invite'),
      person: null,
      rest: null,
      fields,
      async told(typed) {
        const { firstName = '' } = typed;
        const account = {
          id: 0,
          email: '',
          first_name: firstName || texts.newName,
          subtenant_id: subtenantId,
          language: null,
        };
        const role = chosenRole(fields, typed) ?? texts.theRole;
        const mail: Verb['mail'] = ({ notifications, to, link, now }) => {
          const by = plainName(staff.name);
          const words = { by, role, until: later(now, INVITATION_MS), link };
          return notifications.invited(db, to, words, '');
        };
        const words = await preview({ mail }, { account, resendable: null, role: null });
        if (!words || firstName) return words;
        // A greeting keeps letters alone, so the gap gets its brackets here.
        const gap = (line: string) => line.replace(texts.newName, `[${texts.newName}]`);
        return { ...words, lines: words.lines.map(gap) };
      },
      async read(typed) {
        const { name, email, roleId } = await readFields({
          name: () => nameIn(typed),
          email: () => typedEmail(typed),
          roleId: () => typedRole(typed, roles),
        });
        return async (reason) => {
          const invited = { ...name, email, roleId };
          await inviteListed(context, staff, invited, (at) => adminOf(at, staff, reason));
          return { page: `${consolePath('invitations')}?done=invite` };
        };
      },
    };
    return answer(staff, form, asked);
  }

  return { onPerson, invite };
}

/** Returns the role that was chosen among the offered ones; `null`: none, or the form asks for none. */
function chosenRole(fields: readonly FormField[], { role = '' }: Typed): RoleId | null {
  const offered = fields.find(({ name }) => name === 'role')?.options ?? [];
  const id = Number(role);
  return role !== '' && offered.some(({ value }) => value === role) && isRoleId(id) ? id : null;
}

/** @throws FieldProblems */
function reasonIn(verb: ConsoleVerb, { how, note = '' }: Typed): Reason {
  const check = checksOf(verb).find((each) => each === how);
  if (!check) throw new FieldProblems({ how: texts.howProblem });
  if (check !== 'other') return { how: check, note: '' };
  if (!isNote(note)) throw new FieldProblems({ note: texts.noteProblem });
  return { how: check, note };
}

function nameIn({ firstName = '', lastName = '' }: Typed) {
  const links = Object.entries({ firstName, lastName }).filter(([, name]) => looksLikeLink(name));
  if (links.length > 0) {
    throw new FieldProblems(Object.fromEntries(links.map(([field]) => [field, texts.nameIsLink])));
  }
  const name = checkName({ firstName, lastName });
  if (name.isValid) return name.values;
  const problems = Object.entries(name.problems);
  throw new FieldProblems(
    Object.fromEntries(problems.map(([field, problem]) => [field, fieldTexts[problem]])),
  );
}
