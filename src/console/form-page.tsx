import type { ConsoleFrame, FormPage as Data, FormTold } from '#contract/console.ts';
import { fill } from '#locales/fill.ts';
import { consoleTexts as t } from '#locales/operator/console.ts';
import { deskTexts, subtenantsDesk } from '#locales/operator/console-areas.ts';
import { buttonClass } from '#portal/ui/button.tsx';
import { WithAddresses } from '#portal/ui/with-addresses.tsx';
import { Readable, Shown } from './brand.tsx';
import { Field } from './field.tsx';
import styles from './form.module.css';
import { Fields } from './frame.tsx';
import parts from './parts.module.css';
import { Back, ButtonLink, Submit, Way } from './parts.tsx';
import { Problems } from './problems.tsx';
import { Prove } from './prove.tsx';
import house from './subtenant.module.css';

type Page = ConsoleFrame & Data;

/** Renders a form of an area: its fields beside what changes; after it ran, what it tells. */
export function FormPage({ page }: { readonly page: Page }) {
  const { title, lead, back, changes, problem, fields, isFresh, told, brand, steps } = page;
  if (told?.isCards) return <Cards page={page} told={told} />;
  return (
    <>
      <Back href={back.href}>{back.label}</Back>
      <article className={brand ? house.look : `${parts.card} ${styles.dialog}`}>
        <h1>{title}</h1>
        {lead && (
          <p className={parts.lead}>
            <WithAddresses text={lead} />
          </p>
        )}
        {steps && (
          <ol className={styles.steps}>
            {steps.names.map((name, index) => (
              <li
                key={name}
                className={index < steps.at ? styles.past : undefined}
                aria-current={index === steps.at ? 'step' : undefined}
              >
                {name}
              </li>
            ))}
          </ol>
        )}
        <Problems problem={problem} fields={fields} />
        {told ? (
          <Told told={told} back={back} />
        ) : (
          <div className={styles.halves}>
            {isFresh ? (
              <Act page={page} />
            ) : (
              <Prove
                page={page}
                problem={problem ?? undefined}
                cancel={back.href}
                kept={Object.fromEntries(fields.map(({ name, value = '' }) => [name, value]))}
              />
            )}
            {brand && isFresh ? <Shown brand={brand} /> : <Changes changes={changes} />}
          </div>
        )}
      </article>
    </>
  );
}

function Changes({ changes }: Pick<Data, 'changes'>) {
  return (
    <aside className={styles.told} aria-labelledby="changes">
      <h2 id="changes">{deskTexts.changesTitle}</h2>
      {changes.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p>{deskTexts.written}</p>
    </aside>
  );
}

function Act({ page }: { readonly page: Page }) {
  const { fields, submit, isGrave, back, brand } = page;
  const hasFile = fields.some(({ kind }) => kind === 'file');
  return (
    <form
      method="post"
      encType={hasFile ? 'multipart/form-data' : undefined}
      {...(brand && { 'data-typing': true })}
    >
      <Fields page={page} />
      {fields.map((field) => (
        <Field key={field.name} field={field} />
      ))}
      {brand && (
        <button type="submit" name="show" value="1" className={buttonClass('soft', false)}>
          {subtenantsDesk.show}
        </button>
      )}
      {brand && <Swatches />}
      {brand && <Readable brand={brand} />}
      <Submit label={submit} isGrave={isGrave}>
        <ButtonLink href={brand ? '?' : back.href}>
          {brand ? subtenantsDesk.undo : t.cancel}
        </ButtonLink>
      </Submit>
      {brand && <p className={parts.small}>{deskTexts.written}</p>}
    </form>
  );
}

/** Below "Show it": Enter in a field presses the first button of the form. */
const Swatches = () => (
  <fieldset className={styles.how}>
    <legend>{subtenantsDesk.given}</legend>
    <p className={parts.buttons}>
      {Object.entries(subtenantsDesk.givenColors).map(([color, name]) => (
        <button key={color} name="show" value={color} className={buttonClass('secondary', false)}>
          <svg width="26" height="26" aria-hidden="true">
            <circle cx="13" cy="13" r="13" fill={color} />
          </svg>
          {name}
        </button>
      ))}
    </p>
  </fieldset>
);

/** Renders the first page of a house: its facts as cards. */
function Cards({ page, told }: { readonly page: Page; readonly told: FormTold }) {
  const { title, back, staff } = page;
  return (
    <>
      {staff.role === 'operator' && <Back href={back.href}>{back.label}</Back>}
      <h1>{title}</h1>
      {told.lines.map((line) => (
        <p key={line} role="status" className={parts.lead}>
          {line}
        </p>
      ))}
      <div className={styles.cards}>
        {told.parts?.map((group) => (
          <Group key={group.title} group={group} className={parts.card} />
        ))}
      </div>
    </>
  );
}

type GroupProps = {
  readonly group: NonNullable<FormTold['parts']>[number];
  readonly className?: string | undefined;
};

function Group({ group: { title, lead, rows, links = [] }, className }: GroupProps) {
  return (
    <section className={className}>
      <h2>{title}</h2>
      {lead && <p>{lead}</p>}
      <dl className={styles.facts}>
        {rows.map(([name, text]) => (
          <div key={`${name} ${text}`}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {links.length > 0 && (
        <p className={parts.buttons}>
          {links.map(({ href, label }) => (
            <ButtonLink key={href} href={href}>
              {label}
            </ButtonLink>
          ))}
        </p>
      )}
    </section>
  );
}

type ToldProps = { readonly told: FormTold; readonly back: Data['back'] };

function Told({ told, back }: ToldProps) {
  const { lines, parts: groups = [], ask, next, secret, doors, logo } = told;
  const way = next && (
    <p className={parts.way}>
      <a className={buttonClass('primary', false)} href={next.href}>
        {next.label}
      </a>
    </p>
  );
  return (
    <div className={styles.once} role="status">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {groups.map((group) => (
        <Group key={group.title} group={group} />
      ))}
      {secret && (
        <p>
          <code>{secret}</code>
        </p>
      )}
      {doors?.map(({ label, href, qr: { size, path } }) => (
        <div className={house.door} key={href}>
          <div>
            <h2>{label}</h2>
            <code>{href}</code>
            <a className={buttonClass('secondary')} href={href} target="_blank" rel="noreferrer">
              {subtenantsDesk.tryIt}
              <span className="visually-hidden"> {label}</span>
            </a>
          </div>
          <svg
            width="176"
            viewBox={`0 0 ${size} ${size}`}
            role="img"
            aria-label={fill(subtenantsDesk.qr, { label })}
          >
            <rect width={size} height={size} fill="#fff" />
            <path d={path} fill="#000" />
          </svg>
        </div>
      ))}
      {logo && (
        <>
          <h2>{subtenantsDesk.logoPlates}</h2>
          <p className={house.plates}>
            <img className={parts.box} src={logo} alt={subtenantsDesk.onLight} height="64" />
            <img className={parts.box} src={logo} alt={subtenantsDesk.onDark} height="64" />
          </p>
        </>
      )}
      {ask ? (
        <section className={styles.ask}>
          <h2>{ask.title}</h2>
          <p>{ask.text}</p>
          {way}
        </section>
      ) : (
        (way ?? <Way href={back.href}>{back.label}</Way>)
      )}
    </div>
  );
}
