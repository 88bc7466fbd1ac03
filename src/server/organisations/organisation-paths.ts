/** The addresses of an organization's sign-in. */

const BASE = '/account/organization';

export const START_ROUTE = `${BASE}/:id/start`;
export const LINK_ROUTE = `${BASE}/:id/link`;
export const INVITATION_ROUTE = `${BASE}/:id/invitation`;
export const BACK_ROUTE = `${BASE}/:id/back`;

/** Returns the address to which the organisation's provider sends people back. */
export const redirectUriOf = ({ publicUrl }: { readonly publicUrl: string }, id: string): string =>
  `${publicUrl}${BASE}/${id}/back`;
