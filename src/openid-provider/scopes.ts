/** The OpenID scopes and `roles` (PRF-06); Auth0 puts them into access tokens too, beside those of the API. */
export const OIDC_SCOPES: readonly string[] = [
  'openid',
  'profile',
  'email',
  'phone',
  'roles',
  'offline_access',
];
