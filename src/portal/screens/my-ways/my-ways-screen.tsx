import { appCodes } from '#texts/authenticator.ts';
import { myKeys } from '#texts/my-keys.ts';
import { countText } from '#locales/counts.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { myAccount } from '#texts/my-account.ts';
import { AccountPage, accountPanel, useAccount } from '../../flow/account.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { AccountRows, linkRow } from '../../ui/account-rows.tsx';

const t = myAccount.ways;

/** Lists the ways in, with one page each. */
function MyWays() {
  const { appCode, keys } = useAccount() ?? {};
  const rows = [
    linkRow({
      href: pathOf('myPassword'),
      icon: 'lock',
      label: t.password,
      value: t.passwordValue,
    }),
  ];
  if (appCode) {
    const value = appCode.isOn ? appCodes.rowOn : appCodes.rowOff;
    rows.push(
      linkRow({ href: pathOf('myAppCodes'), icon: 'smartphone', label: appCodes.title, value }),
    );
  }
  if (keys) {
    const { length } = keys.list;
    const value = length > 0 ? countText(myKeys.rowSome, length) : myKeys.rowNone;
    rows.push(linkRow({ href: pathOf('myKeys'), icon: 'key-round', label: myKeys.row, value }));
  }
  return (
    <AccountPage title={t.title} lead={t.lead}>
      <AccountRows rows={rows} />
    </AccountPage>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: MyWays, panel: accountPanel };
