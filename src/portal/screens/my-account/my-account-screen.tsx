import { Fragment, type ReactNode } from 'react';
import { myAccount as t } from '#texts/my-account.ts';
import { fill } from '#locales/fill.ts';
import { pathOf } from '#domain/flow/screens.ts';
import type { AccountData } from '#contract/my-account.ts';
import { countText } from '#locales/counts.ts';
import { AccountVerb, accountPanel, useAccount } from '../../flow/account.tsx';
import { useView } from '../../flow/app-context.ts';
import { useLink } from '../../flow/link.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { AccountRows } from '../../ui/account-rows.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Address, Contacts, fillNodes, Phone } from '../../ui/contacts.tsx';
import { WithAddresses } from '../../ui/with-addresses.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Note } from '../../ui/note.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import styles from './my-account.module.css';

/** Lists what the portal knows of the person: one row each, with its present value and one verb. */
function MyAccount() {
  const account = useAccount();
  const { search } = useView();
  const out = useLink(pathOf('signOut'));
  if (!account) return <PageHeading>{t.title}</PageHeading>;
  return (
    <>
      <PageHeading
        above={<p className={styles.hello}>{fill(t.hello, { name: account.firstName })}</p>}
      >
        {t.title}
      </PageHeading>
      {search.includes('saved=1') && <Note icon="check">{t.saved}</Note>}
      <AccountRows rows={rowsOf(account)} />
      <p className={styles.out}>
        <a {...out} className={buttonClass('secondary', true)}>
          <Icon name="log-out" />
          {t.signOut}
        </a>
      </p>
    </>
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

function rowsOf(account: AccountData) {
  const { firstName, lastName, email, phone, devices, apps, helpers, people } = account;
  const { contacts, display, appCode } = account;
  const others = devices.length - 1;
  const place = others > 0 ? countText(t.andOthers, others) : t.hereAlone;
  const allowed = apps.map(({ name }) => name).join(', ');
  const helpersNow = helpers.filter(({ state }) => state !== 'ended');
  const row = (icon: IconName, label: string, value: ReactNode, verb: ReactNode = null) => ({
    key: label,
    icon,
    isLit: icon === 'smartphone',
    label,
    value,
    verb,
  });
  return [
    row(
      'user',
      t.rows.name,
      `${firstName} ${lastName}`,
      <AccountVerb to="myName" label={t.rows.name} verb={t.change} />,
    ),
    row(
      'mail',
      t.rows.email,
      contactValue(contacts, 'email', <Address email={email} />),
      <AccountVerb to="myEmail" label={t.rows.email} verb={t.change} />,
    ),
    row(
      'phone',
      t.rows.phone,
      contactValue(contacts, 'phone', phone ? <Phone number={phone} /> : t.noPhone),
      <AccountVerb to="myPhone" label={t.rows.phone} verb={t.change} />,
    ),
    row(
      'key-round',
      t.rows.ways,
      appCode?.isOn ? t.ways.byApp : t.ways.byMail,
      <AccountVerb to="myWays" label={t.rows.ways} verb={t.change} />,
    ),
    row(
      'smartphone',
      t.rows.devices,
      place,
      <AccountVerb to="myDevices" label={t.rows.devices} verb={t.seeAll} />,
    ),
    row(
      'handshake',
      t.rows.helpers,
      helpersNow.length > 0 ? <Names of={helpersNow.map(({ name }) => name)} /> : t.noHelpers,
      <AccountVerb to="myHelpers" label={t.rows.helpers} verb={t.change} />,
    ),
    ...(people.length > 0
      ? [
          row(
            'users',
            t.rows.people,
            <Names of={people.map(({ name, firstName }) => name || firstName)} />,
            <AccountVerb to="myPeople" label={t.rows.people} verb={t.seeAll} />,
          ),
        ]
      : []),
    row(
      'layout-grid',
      t.rows.apps,
      allowed || t.noApps,
      apps.length > 0 ? <AccountVerb to="myApps" label={t.rows.apps} verb={t.change} /> : null,
    ),
    row(
      'a-large-small',
      t.rows.display,
      display ? t.display.saved : t.display.none,
      <AccountVerb to="myDisplay" label={t.rows.display} verb={t.change} />,
    ),
    row(
      'clipboard-list',
      t.rows.data,
      t.data.value,
      <AccountVerb to="myData" label={t.rows.data} verb={t.data.see} />,
    ),
  ];
}

export const screen: ScreenModule = { title: () => t.title, View: MyAccount, panel: accountPanel };

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
