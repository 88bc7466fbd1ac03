import type { FastifyInstance } from 'fastify';
import { pathOf } from '#domain/flow/screens.ts';
import { DAY_MS } from '#domain/text/duration.ts';
import type { Clock } from '../core/clock.ts';
import type { Config } from '../config/config.ts';

const SECURITY_TXT = '/.well-known/security.txt';
/** Days, below the year that RFC 9116, 2.5.5 advises. */
const DAYS = 180;

/**
 * Serves the contact for reports of a vulnerability of this installation (RFC 9116), and the addresses at which password
 * managers, and managers of keys, look for the pages that they send people to.
 */
export function installWellKnown(
  app: FastifyInstance,
  deps: { readonly clock: Clock; readonly config: Pick<Config, 'help' | 'keys' | 'publicUrl'> },
): void {
  const { help, keys, publicUrl } = deps.config;
  app.get(SECURITY_TXT, async (_request, reply) => {
    const expires = new Date(deps.clock.now().getTime() + DAYS * DAY_MS);
    expires.setUTCHours(0, 0, 0, 0);
    const lines = [
      `Contact: mailto:${help.email}`,
      `Contact: tel:${help.phone.replaceAll(/[^\d+]/g, '')}`,
      `Expires: ${expires.toISOString()}`,
      `Canonical: ${publicUrl}${SECURITY_TXT}`,
      'Preferred-Languages: en',
    ];
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .send(lines.map((line) => `${line}\n`).join(''));
  });
  // RFC 8615 lists it.
  app.get('/.well-known/change-password', (_request, reply) =>
    reply.redirect(pathOf('myPassword'), 302),
  );
  // W3C "Passkey Endpoints".
  if (!keys) return;
  const page = `${publicUrl}${pathOf('myKeys')}`;
  app.get('/.well-known/passkey-endpoints', () => ({ enroll: page, manage: page }));
}
