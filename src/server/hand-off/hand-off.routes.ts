import type { FastifyInstance } from 'fastify';
import { HANDOFF_KEYS_PATH } from '#contract/routes.ts';
import { isRoleId } from '#domain/people/roles.ts';
import { type ModuleConfig, sealedKeysOf } from '../config/modules-file.ts';
import type { SharedDevices } from '../counter/shared-devices.ts';
import { AppError } from '../http/app-error.ts';
import type { Binder } from '../http/bind.ts';
import type { AuditedPasswordCheck } from '../sign-in/audited-password-check.ts';
import type { HandOff } from './hand-off.ts';

type Deps = {
  readonly handOff: HandOff;
  readonly modules: readonly ModuleConfig[];
  readonly sharedDevices: Pick<SharedDevices, 'closedModulesFor'>;
  readonly passwordCheck: Pick<AuditedPasswordCheck, 'isOfAccount'>;
};

/** Binds the calls of the hand-off, and serves the keys of its tokens. */
export function installHandOff(app: FastifyInstance, bind: Binder, deps: Deps): void {
  const { handOff, sharedDevices, passwordCheck } = deps;
  const sealedModules = sealedKeysOf(deps.modules);
  app.get(HANDOFF_KEYS_PATH, () => handOff.publicKeys());
  bind('issueHandoff', async ({ body, session, request }) => {
    const { choice, entrance, isAsked = false } = body;
    const closedModules = await sharedDevices.closedModulesFor(request.cookies);
    const input = { entrance, isAsked, closedModules };
    if (choice === null) return handOff.issue(session, { ...input, choice });
    const { kind, roleId } = choice;
    if (!isRoleId(roleId)) throw new AppError('HANDOFF_REFUSED');
    return handOff.issue(session, { ...input, choice: { kind, roleId } });
  });
  bind('checkPassword', async ({ body, session, ip, request }) => {
    const from = { ip, cookies: request.cookies };
    const isRight = await passwordCheck.isOfAccount(session.userId, body.password, from);
    return isRight ? { appState: session.appState, sealedModules } : null;
  });
  bind('redeemHandoff', async ({ body, request }) => {
    const redeemed = await handOff.redeem(request.headers.authorization, body.token);
    return {
      userId: redeemed.userId,
      userName: redeemed.userName,
      memberName: redeemed.memberName,
      language: redeemed.language,
      email: redeemed.userName,
      roleId: redeemed.roleId,
      userRoles: [...redeemed.roles],
      subtenantId: redeemed.subtenantId,
      appState: redeemed.appState,
      loggedInId: redeemed.signInId,
    };
  });
}
