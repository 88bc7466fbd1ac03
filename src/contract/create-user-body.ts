import { SIGN_UP_PLATFORM } from '#domain/proofs/activation.ts';
import type { SignUpRequest } from '#domain/flow/terms.ts';
import { ACADEMY_ROLE, MEMBER_ROLE } from '#domain/people/roles.ts';
import { isAcademy } from '#domain/people/subtenants.ts';
import type { Body } from './index.ts';
import { toWire } from './sign-up-fields.ts';

/** Returns a sign-up form in the wire's spelling (SUP-15). In a file of its own, because the browser loads no schemas. */
export function toCreateUserBody(request: SignUpRequest): Body<'createUser'> {
  return {
    subtenantId: request.subtenantId,
    signUpPlateform: SIGN_UP_PLATFORM,
    user: {
      roleId: isAcademy(request.subtenantId) ? ACADEMY_ROLE : MEMBER_ROLE,
      ...toWire(request),
      password: request.password,
    },
  };
}
