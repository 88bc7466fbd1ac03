import type { Body } from '#contract/index.ts';
import type { ActivationLink } from '#domain/proofs/activation-link.ts';
import { CLIENT_IP } from './client-ip.ts';

/** Returns an activation link in the wire's spelling. */
export function linkBody({
  key,
  registrationId,
  userId,
  platform,
}: ActivationLink): Body<'validateLink'> {
  return {
    userRegstrtnId: registrationId,
    userId,
    activationKey: key,
    signUpPlatform: platform,
    clientIPAddress: CLIENT_IP,
  };
}
