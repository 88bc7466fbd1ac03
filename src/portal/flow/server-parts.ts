import { type ComponentType, createContext } from 'react';
import type { OrganisationButton } from '#domain/people/subtenants.ts';

/** The organisations of a subtenant. */
export type OrganisationButtonsProps = {
  readonly of: readonly OrganisationButton[];
  /** The open invitation that a press links by; without it a press signs in. */
  readonly invitation?: string;
};

/** Parts that the browser loads late, and that the server has at once: it cannot wait while it renders. */
export const ServerParts = createContext<{
  readonly OrganisationButtons?: ComponentType<OrganisationButtonsProps>;
}>({});
