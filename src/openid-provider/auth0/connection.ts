import { errors } from 'oidc-provider';
import { CONNECTION } from './management/profile.ts';

/** Refuses Auth0's parameter `connection` with another value than our one connection, as Auth0 refuses an unknown one. */
export function refuseUnknownConnection(_ctx: unknown, value: string | undefined): void {
  if (value !== undefined && value !== CONNECTION)
    throw new errors.InvalidRequest(`connection is unknown, there is ${CONNECTION} alone`);
}
