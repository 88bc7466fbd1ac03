import {
  CALLER_CHECKS,
  type ConsoleFrame,
  type ToldWords,
  type VerbPage as Data,
} from '#contract/console.ts';
import { ROLES } from '#domain/roles.ts';
import { fill } from '#locales/fill.ts';
import { consoleTexts as t } from '#locales/operator/console.ts';
import { Alert } from '#portal/ui/alert.tsx';
import { buttonClass } from '#portal/ui/button.tsx';
import { Icon } from '#portal/ui/icon.tsx';
import { Note } from '#portal/ui/note.tsx';
import { Fields } from './frame.tsx';
import { Line } from './line.tsx';
import { Prove } from './prove.tsx';

type Page = ConsoleFrame & Data;

const firstNameOf = ({ person }: Data) => person?.firstName ?? t.newPerson;
export const verbTitle = ({ verb }: Data): string => t.verb[verb];

const backOf = ({ person }: Data) => (person ? `/console/people/${person.id}` : '/console');

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
      {verb === 'correctEmail' && (
        <Line
          name="email"
          label={t.email}
          hint={t.emailReadBack}
          problem={problems.email}
          defaultValue={typed.email}
          inputMode="email"
        />
      )}
      {verb === 'correctPhone' && (
        <Line
          name="phone"
          label={t.phoneLabel}
          problem={problems.phone}
          defaultValue={typed.phone}
          inputMode="tel"
        />
      )}
      {keys.length > 0 && (
        <label className="c-field">
          <span>{t.keyLabel}</span>
          {problems.key && <strong>{problems.key}</strong>}
          <select
            name="key"
            defaultValue={typed.key ?? ''}
            aria-invalid={problems.key ? true : undefined}
          >
            <option value="">{t.chooseKey}</option>
            {keys.map(({ id, name: keyName }) => (
              <option key={id} value={id}>
                {keyName}
              </option>
            ))}
          </select>
        </label>
      )}
      {roles.length > 0 && (
        <label className="c-field">
          <span>{t.roleLabel}</span>
          {problems.role && <strong>{problems.role}</strong>}
          <select
            name="role"
            defaultValue={typed.role ?? ''}
            aria-invalid={problems.role ? true : undefined}
          >
            <option value="">{t.chooseRole}</option>
            {roles.map((id) => (
              <option key={id} value={id}>
                {id} {ROLES[id].key}
              </option>
            ))}
          </select>
        </label>
      )}
      <fieldset className="c-how">
        <legend>{fill(t.checkTitle, { name })}</legend>
        {problems.how && <strong>{problems.how}</strong>}
        {CALLER_CHECKS.map((check) => (
          <label key={check} className="c-radio">
            <input type="radio" name="how" value={check} defaultChecked={typed.how === check} />
            <span>{fill(t.how[check], { name })}</span>
          </label>
        ))}
        <Line
          name="note"
          label={t.note}
          hint={t.noteHint}
          problem={problems.note}
          defaultValue={typed.note}
        />
      </fieldset>
      <p className="c-buttons">
        <button
          type="submit"
          className={`${buttonClass('primary', false)}${verb === 'erase' || verb === 'suspend' ? ' c-danger' : ''}`}
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

function NewPersonFields({ page: { typed, problems } }: { readonly page: Page }) {
  return (
    <>
      <Line
        name="firstName"
        label={t.firstName}
        problem={problems.firstName}
        defaultValue={typed.firstName}
      />
      <Line
        name="lastName"
        label={t.lastName}
        problem={problems.lastName}
        defaultValue={typed.lastName}
      />
      <Line
        name="email"
        label={t.email}
        hint={t.emailReadBack}
        problem={problems.email}
        defaultValue={typed.email}
        inputMode="email"
      />
      <Line
        name="phone"
        label={t.phoneLabel}
        problem={problems.phone}
        defaultValue={typed.phone}
        inputMode="tel"
      />
    </>
  );
}

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
        <p key={`${index} ${line}`}>{line}</p>
      ))}
    </blockquote>
  );
}
