import type { FastifyInstance } from 'fastify';
import type { Clock } from '../core/clock.ts';
import type { Config } from '../config/config.ts';

const PATH = '/.well-known/security.txt';
/** Days, below the year that RFC 9116, 2.5.5 advises. */
const DAYS = 180;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Serves `/.well-known/security.txt` (RFC 9116): the contact for reports of a vulnerability of this installation. */
export function installSecurityTxt(
  app: FastifyInstance,
  { clock, config }: { readonly clock: Clock; readonly config: Pick<Config, 'help' | 'publicUrl'> },
): void {
  const { help, publicUrl } = config;
  app.get(PATH, async (_request, reply) => {
    const expires = new Date(clock.now().getTime() + DAYS * DAY_MS);
    expires.setUTCHours(0, 0, 0, 0);
    const lines = [
      `Contact: mailto:${help.email}`,
      `Contact: tel:${help.phone.replaceAll(/[^\d+]/g, '')}`,
      `Expires: ${expires.toISOString()}`,
      `Canonical: ${publicUrl}${PATH}`,
      'Preferred-Languages: en',
    ];
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .send(lines.map((line) => `${line}\n`).join(''));
  });
}
