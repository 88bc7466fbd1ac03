import { Fragment, type ReactNode } from 'react';
import { myAccount as t } from '#texts/my-account.ts';
import { fill } from '#locales/fill.ts';
import { consoleRow as c } from '#texts/console-row.ts';
import { organisationRow as o } from '#texts/organisation-row.ts';
import { LANGUAGES } from '#locales/languages.ts';
import { language } from '#texts/language.ts';
import { CONSOLE_PATH, pathOf } from '#domain/flow/screens.ts';
import type { AccountData } from '#contract/my-account.ts';
import { countText } from '#locales/counts.ts';
import { accountPanel, useAccount } from '../../flow/account.tsx';
import { useView } from '../../flow/app-context.ts';
import { useLink } from '../../flow/link.ts';
import { Languages, useHasLanguages } from '../../flow/languages.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { agoText } from '../../lib/time-words.ts';
import { AccountRows, linkRow } from '../../ui/account-rows.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Address, Contacts, fillNodes, Phone } from '../../ui/contacts.tsx';
import { WithAddresses } from '../../ui/with-addresses.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Note } from '../../ui/note.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import night from '../../ui/night-house.module.css';
import styles from './my-account.module.css';

/** Lists what the portal knows of the person: one row each, with its present value and one verb. */
function MyAccount() {
  const account = useAccount();
  const { search } = useView();
  const hasLanguages = useHasLanguages();
  if (!account) return <PageHeading>{t.title}</PageHeading>;
  return (
    <div className={styles.page}>
      <PageHeading
        below={
          <p className={styles.last}>
            <LastSignIn last={account.lastSignIn} />
          </p>
        }
      >
        {t.title}
      </PageHeading>
      {search.includes('saved=1') && <Note icon="check">{t.saved}</Note>}
      <AccountRows rows={accountRows(account, hasLanguages)} />
      <p className={styles.out}>
        <SignOut />
      </p>
    </div>
  );
}

/** Says when the person was here before, and leads on where it was somebody else. */
function LastSignIn({ last }: { readonly last: AccountData['lastSignIn'] }) {
  if (last === null) return null;
  if (last === 'none') return t.firstTime;
  const { when, agoMs, device, isHere } = last;
  const where = isHere ? t.lastHere : (device ?? t.lastElsewhere);
  const values = { when: <b>{when ?? agoText(agoMs)}</b>, where: <b>{where}</b> };
  return (
    <>
      <span>{fillNodes(t.lastTime, values)}</span>
      <a href={`${pathOf('myDevices')}?notMe=1`}>{t.notMe}</a>
    </>
  );
}

/** Renders the link to the sign-out, as a button. */
function SignOut({ className = '' }: { readonly className?: string | undefined }) {
  const out = useLink(pathOf('signOut'));
  return (
    <a {...out} className={`${buttonClass('secondary')} ${className}`}>
      <Icon name="log-out" />
      {t.signOut}
    </a>
  );
}

/** Returns the contact with what waits or can be undone. */
function contactValue(
  { waitsFor, undo, isEmailChanged, isPhoneChanged }: AccountData['contacts'],
  contact: 'email' | 'phone',
  value: ReactNode,
): ReactNode {
  const isChanged = contact === 'email' ? isEmailChanged : isPhoneChanged;
  const state =
    waitsFor?.contact === contact
      ? fillNodes(t.contacts.waits, { to: <Contacts to={waitsFor.to} /> })
      : isChanged && undo && fill(t.contacts.changed, { until: undo.until });
  if (!state) return value;
  return (
    <>
      {value}
      <br />
      {state}
    </>
  );
}

function waysText({ keys, appCode, organisation }: AccountData): string {
  // The directory's people have no other way.
  if (organisation?.isKept) return fill(o.title, { label: organisation.label });
  const isByApp = appCode?.isOn === true;
  if (keys !== null && keys.list.length > 0)
    return isByApp ? t.ways.byKeyOrApp : t.ways.byKeyOrMail;
  return isByApp ? t.ways.byApp : t.ways.byMail;
}

/** Returns the row of the person's organisation, where there is one. */
function organisationRow(of: AccountData['organisation']) {
  if (!of) return [];
  const { label, linkedAs } = of;
  const linked = linkedAs && (
    <>
      <Icon name="check" size="s" /> <b>{o.linked}</b>{' '}
      {fillNodes(o.as, { name: <Contacts to={linkedAs} /> })}
    </>
  );
  const row = {
    href: pathOf('myOrganisation'),
    icon: 'house' as const,
    label: fill(o.title, { label }),
    value: linked ?? o.none,
  };
  return [linkRow(linked ? row : { ...row, verb: o.link })];
}

function accountRows(account: AccountData, hasLanguages: boolean) {
  const { firstName, lastName, email, phone, devices, apps, helpers, people } = account;
  const { contacts, display, opensConsole } = account;
  const others = devices.length - 1;
  const helpersNow = helpers.filter(({ state }) => state !== 'ended');
  const languageRow = {
    key: t.rows.language,
    icon: 'languages',
    label: t.rows.language,
    value: LANGUAGES[language].name,
    verb: <Languages className={styles.languages} />,
  } as const;
  return [
    linkRow({
      href: pathOf('myName'),
      icon: 'user',
      label: t.rows.name,
      value: `${firstName} ${lastName}`,
    }),
    linkRow({
      href: pathOf('myEmail'),
      icon: 'mail',
      label: t.rows.email,
      value: contactValue(contacts, 'email', <Address email={email} />),
    }),
    linkRow({
      href: pathOf('myPhone'),
      icon: 'phone',
      label: t.rows.phone,
      value: contactValue(contacts, 'phone', phone ? <Phone number={phone} /> : t.noPhone),
    }),
    linkRow({
      href: pathOf('myWays'),
      icon: 'key-round',
      label: t.ways.title,
      value: waysText(account),
    }),
    ...organisationRow(account.organisation),
    linkRow({
      href: pathOf('myDevices'),
      icon: 'smartphone',
      isLit: true,
      label: t.devicesTitle,
      value: others > 0 ? countText(t.andOthers, others) : t.hereAlone,
      verb: t.seeAll,
    }),
    linkRow({
      href: pathOf('myHelpers'),
      icon: 'handshake',
      label: t.rows.helpers,
      value:
        helpersNow.length > 0 ? <Names of={helpersNow.map(({ name }) => name)} /> : t.noHelpers,
    }),
    ...(people.length > 0 ? [peopleRow(people)] : []),
    ...(opensConsole ? [consoleRow()] : []),
    linkRow({
      href: pathOf('myApps'),
      icon: 'layout-grid',
      label: t.appsTitle,
      value: apps.map(({ name }) => name).join(', ') || t.noApps,
      verb: apps.length > 0 ? t.change : t.data.see,
    }),
    linkRow({
      href: pathOf('myDisplay'),
      icon: 'a-large-small',
      label: t.display.title,
      value: display ? t.display.saved : t.display.none,
    }),
    ...(hasLanguages ? [languageRow] : []),
    linkRow({
      href: pathOf('myData'),
      icon: 'clipboard-list',
      label: t.data.title,
      value: t.data.value,
      verb: t.data.see,
    }),
  ];
}

const consoleRow = () =>
  linkRow({
    href: CONSOLE_PATH,
    icon: 'users',
    label: c.label,
    value: c.value,
    verb: t.data.see,
  });

const peopleRow = (people: AccountData['people']) =>
  linkRow({
    href: pathOf('myPeople'),
    icon: 'users',
    label: t.rows.people,
    value: <Names of={people.map(({ name, firstName }) => name || firstName)} />,
    verb: t.seeAll,
  });

export const screen: ScreenModule = {
  title: () => t.title,
  View: MyAccount,
  panel: (input) => accountPanel(input, <SignOut className={night.signOut} />),
};

/** Names of others, each in its own direction. */
const Names = ({ of }: { readonly of: readonly string[] }) =>
  of.map((name, index) => (
    <Fragment key={index}>
      {index > 0 && ', '}
      <bdi>
        <WithAddresses text={name} />
      </bdi>
    </Fragment>
  ));
