import type { ReactNode } from 'react';
import { myAccount as t } from '#texts/my-account.ts';
import { fill } from '#locales/fill.ts';
import { pathOf } from '#domain/flow/screens.ts';
import type { AccountDevice } from '#contract/my-account.ts';
import { AccountPage, accountPanel, useAccount } from '../../flow/account.tsx';
import { useView } from '../../flow/app-context.ts';
import { StepUp } from '../../flow/step-up.tsx';
import { useLink } from '../../flow/link.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { agoText } from '../../lib/time-words.ts';
import { AccountRows, RowSubmit } from '../../ui/account-rows.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Alternative } from '../../ui/link-row.tsx';
import { Note } from '../../ui/note.tsx';
import { NativeForm, Submit } from '../../ui/submit.tsx';
import styles from './my-devices.module.css';

/** Lists the sessions of the account, and ends one or all others. */
function MyDevices() {
  const account = useAccount();
  const { search } = useView();
  const { devices = [], endedDevices = [], isFresh = false } = account ?? {};
  const hasOthers = devices.some(({ isHere }) => !isHere);
  const rows = devices.map((device) => {
    const label = device.name ?? t.unknownDevice;
    const isEnded = isFresh && !device.isHere;
    return {
      key: device.id,
      label,
      value: deviceState(device),
      window: { isHere: device.isHere },
      verb: isEnded && <RowSubmit name="session" value={device.id} row={label} verb={t.end} />,
    };
  });
  const endedRows = endedDevices.map(({ id, name }) => ({
    key: id,
    label: name ?? t.unknownDevice,
    value: (
      <>
        <b>{t.endedNow}</b> {t.endedMeans}
      </>
    ),
    window: { isHere: false, isOut: true },
    verb: null,
  }));
  const hasEnded = endedRows.length > 0;
  return (
    <AccountPage
      title={t.devicesTitle}
      lead={search.includes('notMe=1') ? t.notYours : t.devicesLead}
    >
      <NativeForm id="devices">
        <AccountRows rows={[...rows, ...endedRows]} />
        {isFresh && hasOthers && (
          <Submit name="session" value="others" variant={hasEnded ? 'secondary' : 'primary'}>
            {t.endOthers}
          </Submit>
        )}
      </NativeForm>
      {hasOthers && account && !isFresh && <StepUp account={account} />}
      {isFresh && <NewPassword hasEnded={hasEnded} hasOthers={hasOthers} />}
    </AccountPage>
  );
}

/** Leads to a new password: the next step, once a device has ended. */
function NewPassword({ hasEnded, hasOthers }: Readonly<Record<'hasEnded' | 'hasOthers', boolean>>) {
  const reset = useLink(pathOf('forgotPassword'));
  if (hasEnded) {
    return (
      <a {...reset} className={buttonClass('primary', true)}>
        {t.newPassword}
      </a>
    );
  }
  if (!hasOthers) return null;
  return (
    <>
      <Note icon="shield-check">{t.notYours}</Note>
      <Alternative>
        <a {...reset}>{t.newPassword}</a>
      </Alternative>
    </>
  );
}

function deviceState({ isHere, agoMs }: AccountDevice): ReactNode {
  if (!isHere) return fill(t.lastUsed, { ago: agoText(agoMs) });
  return (
    <span className={styles.here}>
      <Icon name="check" />
      {t.here}
    </span>
  );
}

export const screen: ScreenModule = {
  title: () => t.devicesTitle,
  View: MyDevices,
  panel: accountPanel,
};
