import { appCodes } from '#texts/authenticator.ts';
import { myKeys } from '#texts/my-keys.ts';
import { countText } from '#locales/counts.ts';
import { myAccount } from '#texts/my-account.ts';
import { AccountVerb, accountPanel, BackToAccount, useAccount } from '../../flow/account.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { AccountRows } from '../../ui/account-rows.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';

const t = myAccount.ways;

/** Lists the ways in, with one page each. */
function MyWays() {
  const { appCode, keys } = useAccount() ?? {};
  const password = {
    key: 'password',
    icon: 'lock',
    label: t.password,
    value: t.passwordValue,
    verb: <AccountVerb to="myPassword" label={t.password} verb={myAccount.change} />,
  } as const;
  const app = appCode && {
    key: 'app',
    icon: 'smartphone' as const,
    label: appCodes.title,
    value: appCode.isOn ? appCodes.rowOn : appCodes.rowOff,
    verb: <AccountVerb to="myAppCodes" label={appCodes.title} verb={myAccount.change} />,
  };
  const saved = keys && {
    key: 'keys',
    icon: 'key-round' as const,
    label: myKeys.row,
    value: keys.list.length > 0 ? countText(myKeys.rowSome, keys.list.length) : myKeys.rowNone,
    verb: <AccountVerb to="myKeys" label={myKeys.row} verb={myAccount.change} />,
  };
  return (
    <>
      <BackToAccount />
      <PageHeading lead={t.lead}>{t.title}</PageHeading>
      <AccountRows rows={[password, ...(app ? [app] : []), ...(saved ? [saved] : [])]} />
    </>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: MyWays, panel: accountPanel };
