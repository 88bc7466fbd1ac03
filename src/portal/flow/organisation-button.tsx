import { organisationButton as t } from '#texts/organisation-button.ts';
import { fill } from '#locales/fill.ts';
import { NEXT_QUERY } from '#domain/flow/screens.ts';
import { Submit, NativeForm } from '../ui/submit.tsx';
import { useView } from './app-context.ts';

type OrganisationButtonProps = {
  readonly id: string;
  readonly variant?: 'primary' | 'secondary';
  readonly children?: string;
  readonly label: string;
  /** What the sign-in over there is for. */
  readonly to?: 'start' | 'link' | 'invitation';
  /** The open invitation. */
  readonly invitation?: string;
};

/** Renders the button that begins a sign-in at an organisation: a form, with script and without (ORG-06). */
export function OrganisationButton(props: OrganisationButtonProps) {
  const {
    id,
    label,
    to = 'start',
    invitation,
    variant = 'secondary',
    children = fill(t.button, { label }),
  } = props;
  const { entrance, search } = useView();
  const next = new URLSearchParams(search).get(NEXT_QUERY);
  return (
    <NativeForm id={`organisation-${id}`} action={`/account/organization/${id}/${to}`}>
      <input type="hidden" name="entrance" value={entrance} />
      {invitation && <input type="hidden" name="invitation" value={invitation} />}
      {next && <input type="hidden" name={NEXT_QUERY} value={next} />}
      <Submit variant={variant} wide>
        {children}
      </Submit>
    </NativeForm>
  );
}
