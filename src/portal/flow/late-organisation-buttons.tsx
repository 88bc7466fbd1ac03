import { lazy, Suspense, use } from 'react';
import { type OrganisationButtonsProps, ServerParts } from './server-parts.ts';

/** Only a page with an organisation loads them: hydration waits for their script, and the server has it at once. */
const Buttons = import.meta.env.SSR
  ? ButtonsOfServer
  : lazy(async () => ({
      default: (await import('./organisation-buttons.tsx')).OrganisationButtons,
    }));

function ButtonsOfServer(props: OrganisationButtonsProps) {
  const { OrganisationButtons } = use(ServerParts);
  return OrganisationButtons && <OrganisationButtons {...props} />;
}

type LateProps = Omit<OrganisationButtonsProps, 'of'> & {
  readonly of: OrganisationButtonsProps['of'] | undefined;
};

/** Renders the buttons of organisations above a form; nothing without one. */
export function LateOrganisationButtons({ of, ...more }: LateProps) {
  return (
    of && (
      <Suspense>
        <Buttons of={of} {...more} />
      </Suspense>
    )
  );
}
