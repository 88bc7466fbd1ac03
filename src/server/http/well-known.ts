import type { FastifyInstance } from 'fastify';
import { pathOf } from '#domain/flow/screens.ts';
import type { Config } from '../config/config.ts';

/** Serves the addresses at which password managers, and managers of keys, look for the pages that they send people to. */
export function installWellKnown(
  app: FastifyInstance,
  { keys, publicUrl }: Pick<Config, 'keys' | 'publicUrl'>,
): void {
  // RFC 8615 lists it.
  app.get('/.well-known/change-password', (_request, reply) =>
    reply.redirect(pathOf('myPassword'), 302),
  );
  // W3C "Passkey Endpoints".
  if (!keys) return;
  const page = `${publicUrl}${pathOf('myKeys')}`;
  app.get('/.well-known/passkey-endpoints', () => ({ enroll: page, manage: page }));
}
