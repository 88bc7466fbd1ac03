import type { ReactNode } from 'react';
import { helpers as t } from '#texts/helpers.ts';
import { fill } from '#locales/fill.ts';
import type { AccountData, AccountPerson } from '#contract/my-account.ts';
import { HELP_ASKS } from '#domain/people/helpers.ts';
import { AccountPage, useAccount } from '../../flow/account.tsx';
import { useView } from '../../flow/app-context.ts';
import { StepUp } from '../../flow/step-up.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { dayText } from '../../lib/time-words.ts';
import { Note } from '../../ui/note.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { Porch } from '../../ui/porch.tsx';
import { NativeForm, Submit } from '../../ui/submit.tsx';
import styles from './my-people.module.css';

/** Lists the people whom the account helps: their name, whether they can sign in, and what the helper may ask for. */
function MyPeople() {
  const account = useAccount();
  const said = saidIn(useView().search);
  if (!account) return <PageHeading>{t.peopleTitle}</PageHeading>;
  const asks = account.people.filter(({ isHelping }) => !isHelping);
  const helped = account.people.filter(({ isHelping }) => isHelping);
  return (
    <AccountPage title={t.peopleTitle} above={<WhoYouAre account={account} />}>
      {said && (
        <Note icon={said === 'notNow' || said === 'over' ? 'info' : 'check'}>{t.said[said]}</Note>
      )}
      {asks.map((person) => (
        <Asked key={person.id} person={person} isFresh={account.isFresh} />
      ))}
      {asks.length > 0 && !account.isFresh && <StepUp account={account} />}
      {helped.map((person) => (
        <Helped key={person.id} person={person} />
      ))}
      {account.people.length === 0 && <p>{t.nobody}</p>}
    </AccountPage>
  );
}

function WhoYouAre({ account: { firstName, people } }: { readonly account: AccountData }) {
  const [one] = people;
  if (!one) return null;
  const text =
    people.length > 1
      ? fill(t.youAreOfMany, { me: firstName })
      : fill(t.youAre, { me: firstName, name: memberName(one) });
  return (
    <div className={styles.me}>
      <Note icon="user">{text}</Note>
    </div>
  );
}

const memberName = ({ firstName, name }: AccountPerson) => firstName || name || t.unnamed;

type PersonProps = { readonly person: AccountPerson };

/** An ask that waits for a yes, which needs a code of the last ten minutes. */
function Asked({ person, isFresh }: PersonProps & { readonly isFresh: boolean }) {
  const name = memberName(person);
  return (
    <PersonForm person={person} className={styles.asked}>
      <h2>{fill(t.asks, { name: person.name || name })}</h2>
      <p>{fill(t.asksText, { name })}</p>
      {isFresh && (
        <Submit name="do" value="accept">
          {fill(t.yes, { name })}
        </Submit>
      )}
      <Submit name="do" value="end" variant="secondary" wide>
        {t.no}
      </Submit>
    </PersonForm>
  );
}

function Helped({ person }: PersonProps) {
  const name = memberName(person);
  const state = person.canSignIn ? fill(t.canSignIn, { name }) : fill(t.cannotSignIn, { name });
  return (
    <PersonForm person={person} className={styles.person}>
      <div className={styles.band}>
        <div className={styles.state}>
          <span className={styles.door}>
            <Porch door={person.canSignIn ? 'ajar' : 'shut'} view="mini" />
          </span>
          <div>
            <h2>
              <bdi>{person.name || name}</bdi>
            </h2>
            <p>{state}</p>
          </div>
        </div>
        {HELP_ASKS.map((ask, index) => (
          <button
            key={ask}
            type="submit"
            name="do"
            value={ask}
            className={index === 0 ? `${styles.ask} ${styles.first}` : styles.ask}
          >
            {fill(t.askFor[ask], { name })}
          </button>
        ))}
      </div>
      <Note icon="eye">{fill(t.askNote, { name })}</Note>
      <p className={styles.until}>{fill(t.until, { date: dayText(person.endsOn) })}</p>
      <Submit name="do" value="end" variant="secondary">
        {fill(t.stop, { name })}
      </Submit>
    </PersonForm>
  );
}

type PersonFormProps = PersonProps & {
  readonly className: string | undefined;
  readonly children: ReactNode;
};

function PersonForm({ person: { id }, className, children }: PersonFormProps) {
  return (
    <NativeForm id={`help-${id}`} className={className}>
      <input type="hidden" name="help" value={id} />
      {children}
    </NativeForm>
  );
}

function saidIn(search: string): keyof typeof t.said | null {
  const said = new URLSearchParams(search).get('said') ?? '';
  return Object.keys(t.said).includes(said) ? (said as keyof typeof t.said) : null;
}

export const screen: ScreenModule = {
  title: () => t.peopleTitle,
  View: MyPeople,
  panel: () => ({ title: t.peoplePanelTitle, text: t.peoplePanelText }),
};
