import { myAccount as t } from '#texts/my-account.ts';
import { AccountPage, accountPanel, useAccount, useProblem } from '../../flow/account.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { NativeForm, Submit } from '../../ui/submit.tsx';
import { TextField } from '../../ui/text-field.tsx';

const FIELDS = [
  { name: 'firstName', label: t.firstName, autoComplete: 'given-name' },
  { name: 'lastName', label: t.lastName, autoComplete: 'family-name' },
] as const;

/** Changes the name. The form is sent to the server as it is, with script or without. */
function MyName() {
  const account = useAccount();
  const errors = { firstName: useProblem('firstName'), lastName: useProblem('lastName') };
  const rows = FIELDS.flatMap(({ name: id }) => {
    const text = errors[id];
    return text ? [{ id, text }] : [];
  });
  return (
    <AccountPage title={t.nameTitle} lead={t.nameLead}>
      {/* One problem stands at its field. */}
      {rows.length > 1 && <ErrorSummary rows={rows} />}
      <NativeForm id="name">
        {FIELDS.map(({ name, label, autoComplete }) => (
          <TextField
            key={name}
            name={name}
            label={label}
            autoComplete={autoComplete}
            defaultValue={account?.typed[name] ?? account?.[name]}
            error={errors[name]}
          />
        ))}
        <Submit>{t.save}</Submit>
      </NativeForm>
    </AccountPage>
  );
}

export const screen: ScreenModule = { title: () => t.nameTitle, View: MyName, panel: accountPanel };
