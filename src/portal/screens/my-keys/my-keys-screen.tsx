import { useEffect, useState } from 'react';
import { myKeys as t } from '#texts/my-keys.ts';
import { passkeys } from '#texts/passkeys.ts';
import { fill } from '#locales/fill.ts';
import { pathOf } from '#domain/flow/screens.ts';
import type { AccountKey, AccountKeys } from '#contract/my-account.ts';
import { AccountPage, accountPanel, useAccount } from '../../flow/account.tsx';
import { useView } from '../../flow/app-context.ts';
import { KeyButton, loadKeys } from '../../flow/key-button.tsx';
import { StepUp } from '../../flow/step-up.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { agoText } from '../../lib/time-words.ts';
import { AccountRows, RowSubmit } from '../../ui/account-rows.tsx';
import { Alert } from '../../ui/alert.tsx';
import { Note } from '../../ui/note.tsx';
import { NativeForm } from '../../ui/submit.tsx';

/** Lists the passkeys, removes one, and saves one on this device. */
function MyKeys() {
  const account = useAccount();
  const { search } = useView();
  const keys = account?.keys ?? null;
  const hasRemoved = search.includes('removed=1');
  useEffect(() => {
    // A failure changes nothing: a removed key opens nothing.
    if (hasRemoved && keys)
      loadKeys().then(
        ({ tellAccepted }) => tellAccepted(keys),
        () => undefined,
      );
  }, [hasRemoved, keys]);
  return (
    <AccountPage title={t.title} lead={t.lead}>
      {hasRemoved && <Note icon="check">{t.removed}</Note>}
      {search.includes('saved=1') && <Note icon="check">{passkeys.saved}</Note>}
      {keys === null ? <p>{t.off}</p> : <List keys={keys} isFresh={account?.isFresh ?? false} />}
      {keys && account && !account.isFresh && <StepUp account={account} why={t.stepUp} />}
      {keys && account?.isFresh && <SaveHere />}
    </AccountPage>
  );
}

function List({ keys, isFresh }: { readonly keys: AccountKeys; readonly isFresh: boolean }) {
  if (keys.list.length === 0) return <p>{t.none}</p>;
  const rows = keys.list.map((key) => ({
    key: key.id,
    icon: 'key-round' as const,
    label: key.name,
    value: keyStateText(key),
    verb: isFresh && <RowSubmit name="key" value={key.id} row={key.name} verb={t.remove} />,
  }));
  return (
    <NativeForm id="keys">
      <AccountRows rows={rows} />
    </NativeForm>
  );
}

function keyStateText({
  addedAgoMs,
  usedAgoMs,
  isSynced,
  needsCode,
  otherDomain,
}: AccountKey): string {
  if (otherDomain !== null) return fill(t.otherAddress, { domain: otherDomain });
  return [
    fill(t.added, { ago: agoText(addedAgoMs) }),
    usedAgoMs === null ? t.unused : fill(t.used, { ago: agoText(usedAgoMs) }),
    isSynced && t.synced,
    needsCode && t.needsCode,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Saves a key here, where the device has a lock; without script it says what is missing. */
function SaveHere() {
  const [can, setCan] = useState<boolean | null>(null);
  useEffect(() => {
    loadKeys().then(
      async ({ canSaveKey }) => setCan(await canSaveKey()),
      () => setCan(false),
    );
  }, []);
  if (can === false) return <Note icon="info">{t.deviceCannot}</Note>;
  return (
    <>
      <noscript>
        <Note icon="info">{t.needsScript}</Note>
      </noscript>
      <Alert tone="warning" title={passkeys.sharedTitle}>
        {t.sharedText}
      </Alert>
      <KeyButton
        label={passkeys.save}
        act={({ saveKey }, api) => saveKey(api)}
        onDone={() => location.assign(`${pathOf('myKeys')}?saved=1`)}
      />
      <Note icon="shield-check">{passkeys.stillWorks}</Note>
    </>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: MyKeys, panel: accountPanel };
