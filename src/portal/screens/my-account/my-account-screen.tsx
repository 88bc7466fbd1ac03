import type { ReactNode } from 'react';
import { myAccount as t } from '#texts/my-account.ts';
import { appCodes } from '#texts/app-codes.ts';
import { fill } from '#locales/fill.ts';
import { pathOf, type ScreenName } from '#domain/screens.ts';
import type { AccountData } from '#contract/my-account.ts';
import { countText } from '#locales/counts.ts';
import { accountPanel, useAccount } from '../../flow/account.tsx';
import { useView } from '../../flow/app-context.ts';
import { useLink } from '../../flow/link.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { AccountRows } from '../../ui/account-rows.tsx';
import { buttonClass } from '../../ui/button.tsx';
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

function rowsOf(account: AccountData) {
  const { firstName, lastName, email, phone, devices, apps, appCode, helpers, people } = account;
  const others = devices.length - 1;
  const place = others > 0 ? countText(t.andOthers, others) : t.hereAlone;
  const allowed = apps.map(({ name }) => name).join(', ');
  const helpersNow = helpers.filter(({ state }) => state !== 'ended');
  const row = (icon: IconName, label: string, value: string, verb: ReactNode = null) => ({
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
      <Verb to="myName" label={t.rows.name} verb={t.change} />,
    ),
    row('mail', t.rows.email, email),
    row('phone', t.rows.phone, phone || t.noPhone),
    ...(appCode
      ? [
          row(
            'lock',
            appCodes.title,
            appCode.isOn ? appCodes.rowOn : appCodes.rowOff,
            <Verb to="myAppCodes" label={appCodes.title} verb={t.change} />,
          ),
        ]
      : []),
    row(
      'smartphone',
      t.rows.devices,
      place,
      <Verb to="myDevices" label={t.rows.devices} verb={t.seeAll} />,
    ),
    row(
      'handshake',
      t.rows.helpers,
      helpersNow.map(({ name }) => name).join(', ') || t.noHelpers,
      <Verb to="myHelpers" label={t.rows.helpers} verb={t.change} />,
    ),
    ...(people.length > 0
      ? [
          row(
            'users',
            t.rows.people,
            people.map(({ name, firstName }) => name || firstName).join(', '),
            <Verb to="myPeople" label={t.rows.people} verb={t.seeAll} />,
          ),
        ]
      : []),
    row(
      'layout-grid',
      t.rows.apps,
      allowed || t.noApps,
      apps.length > 0 ? <Verb to="myApps" label={t.rows.apps} verb={t.change} /> : null,
    ),
  ];
}

/** A page load: the server reads the page's data. */
function Verb(props: { readonly to: ScreenName; readonly label: string; readonly verb: string }) {
  return (
    <a
      className={buttonClass('soft')}
      href={pathOf(props.to)}
      aria-label={fill(t.verbOf, { verb: props.verb, row: props.label })}
    >
      {props.verb}
    </a>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: MyAccount, panel: accountPanel };
