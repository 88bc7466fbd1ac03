import { firstLetters } from '#domain/text/first-letters.ts';
import { helpers as t } from '#texts/helpers.ts';
import { fill } from '#locales/fill.ts';
import type { AccountHelper } from '#contract/my-account.ts';
import { MOST_HELPERS } from '#domain/people/helpers.ts';
import { AccountPage, useAccount, useProblem } from '../../flow/account.tsx';
import { StepUp } from '../../flow/step-up.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { dayText } from '../../lib/time-words.ts';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { WithAddresses } from '../../ui/with-addresses.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Note } from '../../ui/note.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { NativeForm, Submit } from '../../ui/submit.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './my-helpers.module.css';

/** Lists the helpers of the account, ends one, and names a new one after a code. */
function MyHelpers() {
  const account = useAccount();
  if (!account) return <PageHeading>{t.title}</PageHeading>;
  const { helpers } = account;
  const open = helpers.filter(({ state }) => state !== 'ended');
  return (
    <AccountPage title={t.title} lead={t.lead}>
      {helpers.length > 0 && (
        <NativeForm id="helpers">
          <ul className={styles.helpers}>
            {helpers.map((helper) => (
              <Helper key={helper.id} helper={helper} />
            ))}
          </ul>
        </NativeForm>
      )}
      <Rights />
      <h2 className={styles.add}>{t.add}</h2>
      {open.length >= MOST_HELPERS ? (
        <Note icon="info">{t.full}</Note>
      ) : account.isFresh ? (
        <AddHelper typed={account.typed} />
      ) : (
        <StepUp account={account} />
      )}
    </AccountPage>
  );
}

function Helper({ helper }: { readonly helper: AccountHelper }) {
  const { id, name, relation, state } = helper;
  const date = dayText(helper.endsOn);
  return (
    <li className={state === 'ended' ? styles.over : undefined}>
      <span className={styles.tile} aria-hidden="true">
        {initialsOf(name)}
      </span>
      <div className={styles.who}>
        <h2>
          <bdi>
            <WithAddresses text={name} />
          </bdi>
        </h2>
        <p>
          {relation}. {fill(t.states[state], { date })}
        </p>
      </div>
      {state === 'helping' && <p className={styles.end}>{fill(t.ends, { date })}</p>}
      {state === 'endsSoon' && <p className={styles.end}>{fill(t.endsSoon, { date })}</p>}
      {state !== 'ended' && (
        <Submit name="end" value={id} aria-label={fill(t.endOf, { name })} variant="secondary">
          {t.end}
        </Submit>
      )}
    </li>
  );
}

const initialsOf = (name: string) =>
  name
    .split(' ')
    .map((word) => firstLetters(word, 1))
    .slice(0, 2)
    .join('')
    .toLocaleUpperCase();

const RIGHTS = [
  { title: t.may, list: t.mayList, icon: 'check', className: styles.may },
  { title: t.mayNot, list: t.mayNotList, icon: 'x', className: undefined },
] as const;

/** Says what a helper may do and what not. */
function Rights() {
  return (
    <div className={styles.rights}>
      {RIGHTS.map(({ title, list, icon, className }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul>
            {list.map((text) => (
              <li key={text} className={className}>
                <Icon name={icon} />
                {text}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

const FIELDS = [
  { name: 'helperEmail', label: t.email, type: 'email', hint: undefined },
  { name: 'relation', label: t.relation, type: 'text', hint: t.relationHint },
] as const;

function AddHelper({ typed }: { readonly typed: Readonly<Record<string, string>> }) {
  const errors = { helperEmail: useProblem('helperEmail'), relation: useProblem('relation') };
  const rows = FIELDS.flatMap(({ name: id }) => {
    const text = errors[id];
    return text ? [{ id, text }] : [];
  });
  return (
    <NativeForm id="add-helper">
      <p className={styles.lead}>{t.addLead}</p>
      {/* One problem stands at its field. */}
      {rows.length > 1 && <ErrorSummary rows={rows} />}
      {FIELDS.map(({ name, label, type, hint }) => (
        <TextField
          key={name}
          name={name}
          label={label}
          type={type}
          hint={hint}
          autoComplete="off"
          defaultValue={typed[name]}
          error={errors[name]}
        />
      ))}
      <Submit>{t.ask}</Submit>
    </NativeForm>
  );
}

export const screen: ScreenModule = {
  title: () => t.title,
  View: MyHelpers,
  thing: 'bench',
  panel: () => ({ title: t.panelTitle, text: t.panelText }),
};
