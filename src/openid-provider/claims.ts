/** Claims of one account, as in the ID token and at /userinfo (OIDC Core 5.1). */
export type AccountClaims = {
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly phone_number?: string;
  readonly phone_number_verified?: boolean;
  readonly name: string;
  readonly given_name?: string;
  readonly family_name?: string;
  /** The subtenant, under Auth0's name for it. */
  readonly org_id?: string;
  /** End of an academy account's free trial, in seconds since 1970. */
  readonly trial_ends_at?: number;
  readonly roles?: readonly { readonly roleId: number; readonly roleKey: string }[];
  readonly subtenant_id?: number;
};

/** Returns the claims of the scope `roles` (PRF-06). */
export function roleClaims(claims: AccountClaims | null): object {
  return { roles: claims?.roles ?? [], subtenant_id: claims?.subtenant_id };
}
