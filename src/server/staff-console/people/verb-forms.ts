import { checksOf, type VerbField, type VerbPage } from '#contract/console.ts';
import type { ConsoleVerb } from '#domain/help-desk/console-rights.ts';
import { mayDo, mayHandle, personKindOf } from '#domain/help-desk/console-rights.ts';
import { isNote, needsProof } from '#domain/help-desk/console-verbs.ts';
import { extensionOf } from '#domain/typed/phone.ts';
import { isRoleId, type RoleId, ROLES } from '#domain/people/roles.ts';
import { checkName } from '#domain/people/sign-up-form.ts';
import { canonicalEmail, EMAIL_RULE, isEmail } from '#domain/typed/validation.ts';
import { consoleTexts as texts } from '#locales/operator/console.ts';
import { fields } from '#texts/fields.ts';
import { isReserved } from '../../accounts/contact-changes.ts';
import { readWholePhone } from '../../accounts/phone-number.ts';
import type { NewPerson } from '../../administration/people.ts';
import type { WantedChange } from '../../contacts/staff-changes.ts';
import type { ServerContext } from '../../context.ts';
import { AppError } from '../../http/app-error.ts';
import type { Caller } from '../../http/visit-cookie.ts';
import type { Content, createConsole } from '../console.ts';
import type { Looks } from '../looks.ts';
import { type Person, readPerson } from './person.ts';
import type { StaffProofs } from '../prove-staff.ts';
import type { createRunVerb, Reason } from './run-verb.ts';
import type { Staff } from '../staff.ts';
import type { createPreview } from './tell.ts';

/** The answer to a form: another page, the same one with its problems, or a file. */
export type FormAnswer =
  | { readonly page: string }
  | { readonly content: Content }
  | { readonly file: string; readonly name: string }
  /** A document of its own, with its policy: a preview inside a page. */
  | { readonly html: string; readonly policy: string };

type Deps = {
  readonly pages: Pick<ReturnType<typeof createConsole>, 'describe'>;
  readonly verbs: ReturnType<typeof createRunVerb>;
  readonly proof: StaffProofs;
  readonly preview: ReturnType<typeof createPreview>;
  readonly looks: Pick<Looks, 'person'>;
};

type Sent = {
  readonly sent: FormData | null;
  readonly caller: Caller;
};
type Problems = VerbPage['problems'];

const NOT_YOURS = { content: { kind: 'message', message: 'notYours' } } as const;
const ALL_ROLES: readonly RoleId[] = Object.keys(ROLES).map(Number).filter(isRoleId);

/** Creates the pages of verbs: each asks how the caller is known, shows what changes, and does it. */
export function createVerbForms(
  context: ServerContext,
  { pages, verbs, proof, preview, looks }: Deps,
) {
  const { config } = context;

  async function base(staff: Staff, verb: ConsoleVerb, caller: Caller) {
    const isFresh = !needsProof(verb) || staff.isFresh;
    return { kind: 'verb', verb, ...(await proof.of(staff, caller, isFresh)) } as const;
  }

  /** Shows the form of a verb on a person, or runs it. */
  async function onPerson(
    staff: Staff,
    verb: ConsoleVerb,
    id: number,
    { sent, caller }: Sent,
  ): Promise<FormAnswer> {
    const person = await readPerson(context, staff, id);
    const rest = person?.verbs.get(verb);
    if (!person || rest === undefined) return NOT_YOURS;
    const path = `/console/people/${id}/${verb}`;
    const stepProblem = await proof.check(staff, sent, caller);
    if (sent?.has('step') && stepProblem === null) return { page: path };
    const roles =
      { giveRole: person.rolesToGive, takeRole: person.rolesToTake }[verb as string] ?? [];
    const typed = typedIn(sent);
    const role = roles.find((each) => String(each) === typed.role) ?? null;
    const keys = verb === 'removeKey' ? person.keys : [];
    const show = async (problems: Problems): Promise<FormAnswer> => {
      await looks.person(staff, id);
      return {
        content: {
          ...(await base(staff, verb, caller)),
          person: await pages.describe(person),
          rest,
          told: await preview(verb, {
            account: person.account,
            resendable: person.resendable,
            role,
          }),
          roles,
          keys: keys.map(({ credential_id: keyId, name }) => ({ id: keyId, name })),
          typed,
          problems,
        },
      };
    };
    if (stepProblem !== null) return show({ code: stepProblem });
    if (!sent || rest !== null || (needsProof(verb) && !staff.isFresh)) return show({});
    const { reason, problems } = readReason(verb, typed);
    const roleProblem: Problems =
      roles.length > 0 && role === null ? { role: texts.roleProblem } : {};
    const { wanted, problems: wantedProblems } = await readWanted(verb, typed, person);
    const found = { ...problems, ...roleProblem, ...wantedProblems };
    if (reason === null || Object.keys(found).length > 0) return show(found);
    const asked = { staff, ip: caller.ip, reason, role, wanted };
    if (verb === 'export') {
      const data = await verbs.exportData(person, asked);
      return { file: JSON.stringify(data, null, 2), name: `person-${id}.json` };
    }
    try {
      await verbs.run(verb, person, asked);
    } catch (error) {
      return show({ form: refusalOf(error) });
    }
    return { page: verb === 'erase' ? '/console' : `/console/people/${id}?done=${verb}` };
  }

  /** Shows the form that signs a person up, or runs it. */
  async function invite(staff: Staff, { sent, caller }: Sent): Promise<FormAnswer> {
    const stepProblem = await proof.check(staff, sent, caller);
    if (sent?.has('step') && stepProblem === null) return { page: '/console/invite' };
    const typed = typedIn(sent);
    const { subtenantId } = staff;
    const roles = ALL_ROLES.filter(
      (each) => ROLES[each].entry !== null && mayHandle(staff, each, subtenantId, config.console),
    );
    const role = roles.find((each) => String(each) === typed.role) ?? null;
    const names = { firstName: typed.firstName ?? '', lastName: typed.lastName ?? '' };
    const shownAs = {
      id: 0,
      email: '',
      first_name: typed.firstName || texts.newName,
      subtenant_id: subtenantId,
      language: null,
    };
    const told = async () => {
      const words = await preview('invite', { account: shownAs, resendable: null, role });
      if (!words || typed.firstName) return words;
      // A greeting keeps letters alone, so the gap gets its brackets here.
      const gap = (line: string) => line.replace(texts.newName, `[${texts.newName}]`);
      return { ...words, lines: words.lines.map(gap) };
    };
    const show = async (problems: Problems): Promise<FormAnswer> => ({
      content: {
        ...(await base(staff, 'invite', caller)),
        person: null,
        rest: null,
        told: await told(),
        roles,
        keys: [],
        typed,
        problems,
      },
    });
    if (stepProblem !== null) return show({ code: stepProblem });
    if (!sent || !staff.isFresh) return show({});
    const read = await readNewPerson(names, typed, { role, subtenantId });
    const { reason, problems } = readReason('invite', typed);
    const found = { ...read.problems, ...problems };
    if (!read.person || reason === null || Object.keys(found).length > 0) return show(found);
    const kind = personKindOf(
      staff,
      { id: 0, subtenantId, roleIds: read.person.roleIds },
      config.console,
    );
    if (!mayDo(staff.role, 'invite', kind)) return show({ role: texts.roleProblem });
    const id = await verbs.add(read.person, { staff, reason });
    if (id !== null) return { page: `/console/people/${id}?done=invite` };
    const isOld = await isReserved(context.db, read.person.email, null, context.clock.now());
    return show({ email: isOld ? texts.takenLately : texts.taken });
  }

  return { onPerson, invite };
}

const FIELDS: readonly VerbField[] = [
  'how',
  'note',
  'role',
  'firstName',
  'lastName',
  'email',
  'phone',
  'key',
];

function typedIn(sent: FormData | null): VerbPage['typed'] {
  if (!sent) return {};
  return Object.fromEntries(
    FIELDS.flatMap((name) => {
      const value = sent.get(name);
      return typeof value === 'string' ? [[name, value.trim()]] : [];
    }),
  );
}

function readReason(
  verb: ConsoleVerb,
  { how, note = '' }: VerbPage['typed'],
): {
  readonly reason: Reason | null;
  readonly problems: Problems;
} {
  const check = checksOf(verb).find((each) => each === how);
  if (!check) return { reason: null, problems: { how: texts.howProblem } };
  if (check !== 'other') return { reason: { how: check, note: '' }, problems: {} };
  return isNote(note)
    ? { reason: { how: check, note }, problems: {} }
    : { reason: null, problems: { note: texts.noteProblem } };
}

const phoneProblem = (typed: string) =>
  extensionOf(typed) ? fields.phoneExtension : texts.phoneProblem;

async function readNewPerson(
  names: { readonly firstName: string; readonly lastName: string },
  typed: VerbPage['typed'],
  { role, subtenantId }: { readonly role: RoleId | null; readonly subtenantId: number },
): Promise<{ readonly person: NewPerson | null; readonly problems: Problems }> {
  const checked = checkName(names);
  const email = EMAIL_RULE.normalize(typed.email ?? '');
  const typedPhone = typed.phone?.trim() ?? '';
  const phone = typedPhone === '' ? '' : await readWholePhone(typedPhone);
  const problems: Problems = {
    ...(!checked.isValid &&
      Object.fromEntries(
        Object.entries(checked.problems).map(([name, problem]) => [name, fields[problem]]),
      )),
    ...(!isEmail(email) && { email: fields.emailInvalid }),
    ...(phone === null && { phone: phoneProblem(typedPhone) }),
    ...(role === null && { role: texts.roleProblem }),
  };
  if (!checked.isValid || role === null || phone === null || Object.keys(problems).length > 0) {
    return { person: null, problems };
  }
  return { person: { ...checked.values, email, phone, roleIds: [role], subtenantId }, problems };
}

/** Reads the change that a verb asks for; `null` for other verbs. */
async function readWanted(
  verb: ConsoleVerb,
  { email: typedEmail = '', phone = '', key }: VerbPage['typed'],
  { account, keys }: Person,
): Promise<{ readonly wanted: WantedChange | null; readonly problems: Problems }> {
  const refuse = (problems: Problems) => ({ wanted: null, problems });
  switch (verb) {
    case 'correctEmail': {
      const email = EMAIL_RULE.normalize(typedEmail);
      if (!isEmail(email)) return refuse({ email: fields.emailInvalid });
      if (canonicalEmail(email) === canonicalEmail(account.email_canonical)) {
        return refuse({ email: texts.sameEmail });
      }
      return { wanted: { what: 'email', contact: 'email', email }, problems: {} };
    }
    case 'correctPhone': {
      const mobile = await readWholePhone(phone);
      if (mobile === null) return refuse({ phone: phoneProblem(phone) });
      // A full phone number; it does not say where the dial code ends.
      return { wanted: { what: 'phone', contact: 'phone', dial_code: '', mobile }, problems: {} };
    }
    case 'removeKey': {
      const found = keys.find(({ credential_id: id }) => id === key);
      if (!found) return refuse({ key: texts.keyProblem });
      return { wanted: { what: 'key', credentialId: found.credential_id }, problems: {} };
    }
    case 'removeAppCode':
      return { wanted: { what: 'appCode' }, problems: {} };
    default:
      return refuse({});
  }
}

/** Returns the words of a refusal that a page shows. Rethrows every other error. */
function refusalOf(error: unknown): string {
  if (!(error instanceof AppError)) throw error;
  return error.messages.join(' ');
}
