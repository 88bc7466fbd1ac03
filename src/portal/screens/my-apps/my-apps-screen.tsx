import { myAccount as t } from '#texts/my-account.ts';
import { fill } from '#locales/fill.ts';
import { accountPanel, BackToAccount, useAccount } from '../../flow/account.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { useNativeForm } from '../../lib/form-actions.ts';
import { AccountRows } from '../../ui/account-rows.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { Submit } from '../../ui/submit.tsx';

/** Lists the applications that the person has allowed, and takes a consent back. */
function MyApps() {
  const { apps = [] } = useAccount() ?? {};
  useNativeForm('apps');
  const rows = apps.map(({ clientId, name }) => ({
    key: clientId,
    label: name,
    value: t.takenBack,
    verb: (
      <Submit
        name="client"
        value={clientId}
        aria-label={fill(t.verbOf, { verb: t.takeBack, row: name })}
        variant="soft"
      >
        {t.takeBack}
      </Submit>
    ),
  }));
  return (
    <>
      <BackToAccount />
      <PageHeading lead={apps.length > 0 ? t.appsLead : t.noApps}>{t.appsTitle}</PageHeading>
      <form id="apps" method="post">
        <AccountRows rows={rows} />
      </form>
    </>
  );
}

export const screen: ScreenModule = { title: () => t.appsTitle, View: MyApps, panel: accountPanel };
