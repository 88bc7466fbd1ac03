import type { ConsoleFrame, FormPage as Data, FormTold } from '#contract/console.ts';
import { fill } from '#locales/fill.ts';
import { consoleTexts as t } from '#locales/operator/console.ts';
import { deskTexts, subtenantsDesk } from '#locales/operator/console-areas.ts';
import { Alert } from '#portal/ui/alert.tsx';
import { buttonClass } from '#portal/ui/button.tsx';
import { Icon } from '#portal/ui/icon.tsx';
import { WithAddresses } from '#portal/ui/with-addresses.tsx';
import { Readable, Shown } from './brand.tsx';
import { Field } from './field.tsx';
import { Fields } from './frame.tsx';
import { Prove } from './prove.tsx';

type Page = ConsoleFrame & Data;

/** Renders a form of an area: its fields beside what changes; after it ran, what it tells. */
export function FormPage({ page }: { readonly page: Page }) {
  const { title, lead, back, changes, problem, fields, isFresh, told, brand } = page;
  const problems = [problem, ...fields.map((field) => field.problem)].filter(Boolean);
  return (
    <>
      <p className="c-back">
        <a href={back.href}>
          <Icon name="arrow-left" />
          {back.label}
        </a>
      </p>
      <article className={brand ? 'c-look' : 'c-dialog'}>
        <h1>{title}</h1>
        {lead && (
          <p className="c-lead">
            <WithAddresses text={lead} />
          </p>
        )}
        {problems.length > 0 && (
          <Alert tone="danger" role="alert">
            {[...new Set(problems)]
              .join('\n')
              .split('\n')
              .map((line) => (
                <p key={line}>{line}</p>
              ))}
          </Alert>
        )}
        {told ? (
          <Told told={told} back={back} />
        ) : (
          <div className="c-halves">
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
    <aside className="c-told" aria-labelledby="changes">
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
      {brand && <Readable brand={brand} />}
      <p className="c-buttons">
        <button
          type="submit"
          className={`${buttonClass('primary', false)}${isGrave ? ' c-danger' : ''}`}
        >
          {submit}
        </button>
        <a className={buttonClass('secondary')} href={brand ? '?' : back.href}>
          {brand ? subtenantsDesk.undo : t.cancel}
        </a>
      </p>
      {brand && <p className="c-small">{deskTexts.written}</p>}
    </form>
  );
}

function Told({
  told: { lines, secret, doors, logo },
  back,
}: {
  readonly told: FormTold;
  readonly back: Data['back'];
}) {
  return (
    <div className="c-once" role="status">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {secret && (
        <p>
          <code>{secret}</code>
        </p>
      )}
      {doors?.map(({ label, href, qr: { size, path } }) => (
        <div className="c-house" key={href}>
          <div>
            <h2>{label}</h2>
            <code>{href}</code>
            <a className={buttonClass('secondary')} href={href} target="_blank" rel="noreferrer">
              {subtenantsDesk.tryIt}
              <span className="visually-hidden"> {label}</span>
            </a>
          </div>
          <svg
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
          <p className="c-plates">
            <img src={logo} alt={subtenantsDesk.onLight} height="64" />
            <img src={logo} alt={subtenantsDesk.onDark} height="64" />
          </p>
        </>
      )}
      <p className="c-way">
        <a className={buttonClass('secondary')} href={back.href}>
          {back.label}
        </a>
      </p>
    </div>
  );
}
