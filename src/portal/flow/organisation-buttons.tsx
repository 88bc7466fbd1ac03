import { organisationButton as t } from '#texts/organisation-button.ts';
import { fill } from '#locales/fill.ts';
import { OrganisationButton } from './organisation-button.tsx';
import { Alternative } from '../ui/link-row.tsx';
import { type OrganisationButtonsProps, useFlowAt, useView } from './app-context.ts';

/** Renders the buttons of a subtenant's organisations, above the form. */
export function OrganisationButtons({ of, invitation }: OrganisationButtonsProps) {
  const { entrance } = useView();
  const hasProblem = Boolean(useFlowAt('signIn')?.problem);
  return (
    <>
      {of.map(({ id, label, isOnly }) => (
        <div key={id}>
          <OrganisationButton
            id={id}
            label={label}
            {...(invitation && { to: 'invitation', invitation })}
            variant={entrance === 'legalStaff' ? 'primary' : 'secondary'}
          />
          {isOnly && hasProblem && <p>{fill(t.onlyHere, { label })}</p>}
        </div>
      ))}
      <Alternative>{invitation ? t.orPassword : t.or}</Alternative>
    </>
  );
}
