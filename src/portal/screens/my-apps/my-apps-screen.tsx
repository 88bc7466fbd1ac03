import { myAccount as t } from '#texts/my-account.ts';
import { AccountPage, accountPanel, useAccount } from '../../flow/account.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { AccountRows, RowSubmit } from '../../ui/account-rows.tsx';
import { NativeForm } from '../../ui/submit.tsx';

/** Lists the applications that the person has allowed, and takes a consent back. */
function MyApps() {
  const { apps = [] } = useAccount() ?? {};
  const rows = apps.map(({ clientId, name }) => ({
    key: clientId,
    label: name,
    value: t.takenBack,
    verb: <RowSubmit name="client" value={clientId} row={name} verb={t.takeBack} />,
  }));
  return (
    <AccountPage title={t.appsTitle} lead={apps.length > 0 ? t.appsLead : t.noApps}>
      <NativeForm id="apps">
        <AccountRows rows={rows} />
      </NativeForm>
    </AccountPage>
  );
}

export const screen: ScreenModule = { title: () => t.appsTitle, View: MyApps, panel: accountPanel };
