import { myAccount as t } from '#texts/my-account.ts';
import { accountPanel, BackToAccount, useAccount, useProblem } from '../../flow/account.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { useNativeForm } from '../../lib/form-actions.ts';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { Submit } from '../../ui/submit.tsx';
import { TextField } from '../../ui/text-field.tsx';

const FIELDS = [
  { name: 'firstName', label: t.firstName, autoComplete: 'given-name' },
  { name: 'lastName', label: t.lastName, autoComplete: 'family-name' },
] as const;

/** Changes the name. The form is sent to the server as it is, with script or without. */
function MyName() {
  const account = useAccount();
  useNativeForm('name');
  const errors = { firstName: useProblem('firstName'), lastName: useProblem('lastName') };
  const rows = FIELDS.flatMap(({ name: id }) => {
    const text = errors[id];
    return text ? [{ id, text }] : [];
  });
  return (
    <>
      <BackToAccount />
      <PageHeading lead={t.nameLead}>{t.nameTitle}</PageHeading>
      {/* One problem stands at its field. */}
      {rows.length > 1 && <ErrorSummary rows={rows} />}
      <form id="name" method="post">
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
      </form>
    </>
  );
}

export const screen: ScreenModule = { title: () => t.nameTitle, View: MyName, panel: accountPanel };
