import {
  checksOf,
  type ConsoleFrame,
  type FormField,
  type ToldWords,
  type VerbField,
  type VerbPage as Data,
} from '#contract/console.ts';
import { isGrave } from '#domain/help-desk/console-verbs.ts';
import { ROLES } from '#domain/people/roles.ts';
import { fill } from '#locales/fill.ts';
import { consoleTexts as t } from '#locales/operator/console.ts';
import { Alert } from '#portal/ui/alert.tsx';
import { buttonClass } from '#portal/ui/button.tsx';
import { WithAddresses } from '#portal/ui/with-addresses.tsx';
import { Icon } from '#portal/ui/icon.tsx';
import { Note } from '#portal/ui/note.tsx';
import { Fields } from './frame.tsx';
import { Field } from './field.tsx';
import { Prove } from './prove.tsx';

type Page = ConsoleFrame & Data;

const firstNameOf = ({ person }: Data) => person?.firstName ?? t.newPerson;
export const verbTitle = ({ verb }: Data): string => t.verb[verb];

const backOf = ({ person }: Data) => (person ? `/console/people/${person.id}` : '/console');

/** Problems of an address that the search finds. */
const TAKEN: ReadonlySet<string | undefined> = new Set([t.taken, t.takenLately]);

/** Renders one verb: what changes, how you know the caller, and the words that the person will get. */
export function VerbPage({ page }: { readonly page: Page }) {
  const { verb, rest, isFresh, problems } = page;
  const name = firstNameOf(page);
  const hasProblem = Object.keys(problems).length > 0;
  return (
    <article className="c-dialog">
      <h1>{t.verb[verb]}</h1>
      <p className="c-lead">{fill(t.changes[verb], { name })}</p>
      {hasProblem && (
        <Alert tone="danger" role="alert">
          {[...new Set(Object.values(problems))].join(' ')}
          {TAKEN.has(problems.email) && (
            <>
              {' '}
              <a href={`/console?${String(new URLSearchParams({ q: page.typed.email ?? '' }))}`}>
                {t.searchIt}
              </a>
            </>
          )}
        </Alert>
      )}
      <div className="c-halves">
        {rest ? (
          <Rests page={page} words={t.rest[rest]} />
        ) : isFresh ? (
          <Act page={page} />
        ) : (
          <Prove page={page} problem={problems.code} cancel={backOf(page)} />
        )}
        <Told page={page} name={name} />
      </div>
    </article>
  );
}

function Rests({ page, words }: { readonly page: Page; readonly words: string }) {
  return (
    <div>
      <Note icon="info">{words}</Note>
      <p className="c-way">
        <a className={buttonClass('secondary')} href={backOf(page)}>
          {t.cancel}
        </a>
      </p>
    </div>
  );
}

function Act({ page }: { readonly page: Page }) {
  const { verb, typed, problems, roles, keys, person } = page;
  const name = firstNameOf(page);
  return (
    <form method="post">
      <Fields page={page} />
      {person === null && <NewPersonFields page={page} />}
      {verb === 'correctEmail' && <EmailField page={page} />}
      {verb === 'correctPhone' && <PhoneField page={page} />}
      {keys.length > 0 && (
        <Choice
          name="key"
          label={t.keyLabel}
          first={t.chooseKey}
          options={keys.map(({ id, name: keyName }) => ({ value: id, label: keyName }))}
          page={page}
        />
      )}
      {roles.length > 0 && (
        <Choice
          name="role"
          label={t.roleLabel}
          first={t.chooseRole}
          options={roles.map((id) => ({ value: String(id), label: `${id} ${ROLES[id].key}` }))}
          page={page}
        />
      )}
      <fieldset className="c-how">
        <legend>{person === null ? t.newTitle : fill(t.checkTitle, { name })}</legend>
        {problems.how && <strong>{problems.how}</strong>}
        {checksOf(verb).map((check) => (
          <label key={check} className="c-radio">
            <input type="radio" name="how" value={check} defaultChecked={typed.how === check} />
            <span>
              {person === null && check !== 'died' ? t.newHow[check] : fill(t.how[check], { name })}
            </span>
          </label>
        ))}
        <TextField name="note" label={t.note} hint={t.noteHint} page={page} />
      </fieldset>
      <p className="c-buttons">
        <button
          type="submit"
          className={`${buttonClass('primary', false)}${isGrave(verb) ? ' c-danger' : ''}`}
        >
          {t.verb[verb]}
        </button>
        <a className={buttonClass('secondary')} href={backOf(page)}>
          {t.cancel}
        </a>
      </p>
      <p className="c-small">{t.noteWritten}</p>
    </form>
  );
}

function NewPersonFields({ page }: { readonly page: Page }) {
  return (
    <>
      <TextField name="firstName" label={t.firstName} page={page} />
      <TextField name="lastName" label={t.lastName} page={page} />
      <EmailField page={page} />
      <PhoneField page={page} />
    </>
  );
}

const EmailField = ({ page }: { readonly page: Page }) => (
  <TextField name="email" label={t.email} hint={t.emailReadBack} inputMode="email" page={page} />
);

const PhoneField = ({ page }: { readonly page: Page }) => (
  <TextField name="phone" label={t.phoneLabel} inputMode="tel" page={page} />
);

type Named = { readonly name: VerbField; readonly page: Page };

/** Renders a field with what was typed, and its problem. */
const TextField = ({
  page: { typed, problems },
  ...field
}: Named & Pick<FormField, 'label' | 'hint' | 'inputMode'>) => (
  <Field
    field={{ ...field, kind: 'text', value: typed[field.name], problem: problems[field.name] }}
  />
);

const Choice = ({
  page: { typed, problems },
  first,
  options,
  ...field
}: Named & {
  readonly label: string;
  readonly first: string;
  readonly options: NonNullable<FormField['options']>;
}) => (
  <Field
    field={{
      ...field,
      kind: 'select',
      value: typed[field.name],
      problem: problems[field.name],
      options: [{ value: '', label: first }, ...options],
    }}
  />
);

/** Renders the words of the mail, from its own template. */
function Told({ page, name }: { readonly page: Page; readonly name: string }) {
  const { told } = page;
  return (
    <aside className="c-told" aria-labelledby="told">
      <h2 id="told">
        <Icon name="mail" />
        {fill(t.toldTitle, { name })}
      </h2>
      {told === null ? (
        <p>{fill(t.toldNothing, { name })}</p>
      ) : (
        <>
          <Words told={told} />
          {told.forStaff && (
            <>
              <p className="c-small">{t.toldForStaff}</p>
              <Words told={told.forStaff} />
            </>
          )}
        </>
      )}
    </aside>
  );
}

function Words({ told }: { readonly told: Pick<ToldWords, 'subject' | 'lines'> }) {
  return (
    <blockquote>
      <p>
        <b>{told.subject}</b>
      </p>
      {told.lines.map((line, index) => (
        // A mail may say the same line twice.
        <p key={`${index} ${line}`}>
          <WithAddresses text={line} />
        </p>
      ))}
    </blockquote>
  );
}
