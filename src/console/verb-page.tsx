import {
  checksOf,
  type ConsoleFrame,
  type ToldWords,
  type VerbPage as Data,
} from '#contract/console.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import { isGrave } from '#domain/help-desk/console-verbs.ts';
import { fill } from '#locales/fill.ts';
import { consoleTexts as t } from '#locales/operator/console.ts';
import { FieldError } from '#portal/ui/field.tsx';
import { WithAddresses } from '#portal/ui/with-addresses.tsx';
import { Icon } from '#portal/ui/icon.tsx';
import { Note } from '#portal/ui/note.tsx';
import { Fields } from './frame.tsx';
import { Field } from './field.tsx';
import styles from './form.module.css';
import parts from './parts.module.css';
import { ButtonLink, Submit, Way } from './parts.tsx';
import { Problems } from './problems.tsx';
import { Prove } from './prove.tsx';

type Page = ConsoleFrame & Data;

const firstNameOf = ({ person }: Data) => person?.firstName ?? t.newPerson;
export const verbTitle = ({ verb }: Data): string => t.verb[verb];

const backOf = ({ person }: Data) =>
  person ? consolePath('people', person.id) : consolePath('invitations');

/** Returns the typed values. The form keeps them while it asks for a code, since a proof can end while a person types. */
const typedOf = ({ fields, how, note }: Data) => ({
  ...Object.fromEntries([...fields, note].map(({ name, value = '' }) => [name, value])),
  how: how.value,
});

/** Renders one verb: what changes, how you know the caller, and the words that the person will get. */
export function VerbPage({ page }: { readonly page: Page }) {
  const { verb, rest, isFresh, problem, fields, how, note } = page;
  const name = firstNameOf(page);
  return (
    <article className={`${parts.card} ${styles.dialog}`}>
      <h1>{t.verb[verb]}</h1>
      <p className={parts.lead}>{fill(t.changes[verb], { name })}</p>
      <Problems
        problem={problem}
        fields={[...fields, { name: 'how', problem: how.problem ?? undefined }, note]}
      />
      <div className={styles.halves}>
        {rest ? (
          <Rests page={page} words={t.rest[rest]} />
        ) : isFresh ? (
          <Act page={page} />
        ) : (
          <Prove
            page={page}
            problem={problem ?? undefined}
            cancel={backOf(page)}
            kept={typedOf(page)}
          />
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
      <Way href={backOf(page)}>{t.cancel}</Way>
    </div>
  );
}

function Act({ page }: { readonly page: Page }) {
  const { verb, fields, how, note, person } = page;
  const name = firstNameOf(page);
  return (
    <form method="post">
      <Fields page={page} />
      {fields.map((field) => (
        <Field key={field.name} field={field} />
      ))}
      <fieldset className={styles.how}>
        <legend>{person === null ? t.newTitle : fill(t.checkTitle, { name })}</legend>
        <FieldError id="how" error={how.problem} />
        {checksOf(verb).map((check, index) => (
          <label key={check} className={`${parts.box} ${styles.choice}`}>
            <input
              id={index === 0 ? 'how' : undefined}
              type="radio"
              name="how"
              value={check}
              defaultChecked={how.value === check}
            />
            <span>
              {person === null && check !== 'died' ? t.newHow[check] : fill(t.how[check], { name })}
            </span>
          </label>
        ))}
        <Field field={note} />
      </fieldset>
      <Submit label={t.verb[verb]} isGrave={isGrave(verb)}>
        <ButtonLink href={backOf(page)}>{t.cancel}</ButtonLink>
      </Submit>
      <p className={parts.small}>{t.noteWritten}</p>
    </form>
  );
}

/** Renders the words of the mail, from its own template. */
function Told({ page, name }: { readonly page: Page; readonly name: string }) {
  const { told } = page;
  return (
    <aside className={styles.told} aria-labelledby="told">
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
              <p className={parts.small}>{t.toldForStaff}</p>
              <Words told={told.forStaff} />
            </>
          )}
        </>
      )}
    </aside>
  );
}

/** Renders the subject small, since the first line, the headline, says it again. */
function Words({ told }: { readonly told: Pick<ToldWords, 'subject' | 'lines'> }) {
  return (
    <blockquote>
      <p className={parts.small}>{told.subject}</p>
      {told.lines.map((line, index) => (
        // A mail may say the same line twice.
        <p key={`${index} ${line}`}>
          {index === 0 ? <b>{line}</b> : <WithAddresses text={line} />}
        </p>
      ))}
    </blockquote>
  );
}
