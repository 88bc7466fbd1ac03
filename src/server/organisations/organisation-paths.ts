/** The addresses of an organization's sign-in. */

export const ORGANISATION_BASE = '/account/organization';

/** Returns the address to which the organisation's provider sends people back. */
export const redirectUriOf = ({ publicUrl }: { readonly publicUrl: string }, id: string): string =>
  `${publicUrl}${ORGANISATION_BASE}/${id}/back`;
