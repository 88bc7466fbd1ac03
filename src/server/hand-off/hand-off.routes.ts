import type { Data } from '#contract/index.ts';
import type { FastifyRequest } from 'fastify';
import { isRoleId, type ModuleId } from '#domain/people/roles.ts';
import { AppError } from '../http/app-error.ts';
import type { Binder } from '../http/bind.ts';
import type { PasswordSource } from '../sign-in/password-check.ts';
import type { HandOff } from './hand-off.ts';

type Deps = {
  readonly handOff: HandOff;
  /** Returns the modules that a browser does not get. */
  readonly closedModulesFor: (request: FastifyRequest) => Promise<readonly ModuleId[]>;
  /** Returns whether this is the password of an account; it counts as a try. */
  readonly isOwnPassword: (
    userId: number,
    password: string,
    from: PasswordSource,
  ) => Promise<boolean>;
  readonly sealedModules: Data<'beginSession'>['sealedModules'];
};

/** Binds the calls of the hand-off. */
export function bindHandOff(bind: Binder, deps: Deps): void {
  const { handOff, isOwnPassword, sealedModules, closedModulesFor } = deps;
  bind('issueHandoff', async ({ body, session, request }) => {
    const { choice, entrance, isAsked = false } = body;
    const input = { entrance, isAsked, closedModules: await closedModulesFor(request) };
    if (choice === null) return handOff.issue(session, { ...input, choice });
    const { kind, roleId } = choice;
    if (!isRoleId(roleId)) throw new AppError('HANDOFF_REFUSED');
    return handOff.issue(session, { ...input, choice: { kind, roleId } });
  });
  bind('checkPassword', async ({ body, session, ip, request }) => {
    const from = { ip, cookies: request.cookies };
    const isRight = await isOwnPassword(session.userId, body.password, from);
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
