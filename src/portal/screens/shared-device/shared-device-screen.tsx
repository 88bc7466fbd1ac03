import { sharedDevice as t } from '#texts/shared-device.ts';
import { AccountPage, accountPanel, useAccount, useProblem } from '../../flow/account.tsx';
import { useAppContext } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { Note } from '../../ui/note.tsx';
import { NativeForm, Submit } from '../../ui/submit.tsx';
import { TextField } from '../../ui/text-field.tsx';

const RULES = [t.keepsNothing, t.clears, t.signsOut];

/** Makes this browser a shared device, or an ordinary one again: for staff. */
function SharedDevice() {
  const account = useAccount();
  const problem = useProblem('name');
  const isShared = useAppContext().boot.sharedUse !== undefined;
  return (
    <AccountPage title={t.title} lead={isShared ? t.offLead : t.onLead}>
      <NativeForm id="shared">
        {!isShared && (
          <>
            <div>
              {RULES.map((rule) => (
                <Note key={rule} icon="info">
                  {rule}
                </Note>
              ))}
            </div>
            <TextField
              name="name"
              label={t.name}
              hint={t.nameHint}
              autoComplete="off"
              defaultValue={account?.typed.name}
              error={problem}
            />
          </>
        )}
        <Submit>{isShared ? t.off : t.on}</Submit>
      </NativeForm>
    </AccountPage>
  );
}

export const screen: ScreenModule = {
  title: () => t.title,
  View: SharedDevice,
  panel: accountPanel,
};
