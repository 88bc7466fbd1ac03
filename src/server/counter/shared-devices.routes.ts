import type { FastifyInstance, FastifyRequest } from 'fastify';
import { COUNTER_PATHS } from '#domain/people/counter-mode.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { AppError } from '../http/app-error.ts';
import { refuseOtherSites } from '../http/csrf.ts';
import type { VisitCookie } from '../http/visit-cookie.ts';
import { BAR_CSS } from './bar.ts';
import type { SharedDevice } from './devices.ts';
import type { SharedDevices } from './shared-devices.ts';

const SEE_OTHER = 303;
/** Paths that programs ask for, and files: they get no page when the time is over. */
const NO_PAGE =
  /^\/(?:api|counter|idp|assets|logos|dev|\.well-known)(?:\/|\?|$)|\.(?:css|js|ico)(?:\?|$)/i;
/** The page for the next person: it takes the cookies by itself. */
const NEXT = new RegExp(`^${pathOf('counterNext')}(?:\\?|$)`, 'i');

/** Watches the requests of shared devices, and installs the requests of their bar. */
export async function installSharedDevices(
  app: FastifyInstance,
  devices: SharedDevices,
  visits: Pick<VisitCookie, 'find' | 'tokenIn'>,
): Promise<void> {
  /** Whether the server ended the use by itself, and the browser still has the visit of that person. */
  const isLeftBehind = ({ started_at }: SharedDevice, { url, cookies }: FastifyRequest) =>
    started_at === null && visits.tokenIn(cookies) !== null && !NEXT.test(url);

  /** Whether a request comes from the person who uses the device: a copy of the device's cookie changes nothing. */
  async function isBound({ visit_id: visitId }: SharedDevice, cookies: FastifyRequest['cookies']) {
    return visitId !== null && (await visits.find(cookies))?.id === visitId;
  }

  app.addHook('onRequest', async (request, reply) => {
    const { cookies } = request;
    const device = await devices.find(cookies);
    if (!device) return;
    const isOver = await devices.clearIfDue(device);
    const visit = isOver ? null : await visits.find(cookies);
    if (visit) await devices.bind(device, visit);
    if (NO_PAGE.test(request.url) || !(isOver || isLeftBehind(device, request))) return;
    return reply.headers(devices.wiping(cookies)).redirect(pathOf('counterNext'), SEE_OTHER);
  });

  // The plain pages: of last resort, and on the way to an application. The portal's own bring their bar along.
  app.addHook('onSend', async (request, reply, payload) => {
    const type = String(reply.getHeader('content-type') ?? '');
    if (typeof payload !== 'string' || !type.startsWith('text/html')) return payload;
    const html = await devices.finishPlain(payload, request);
    // Its length has changed.
    if (html !== payload) reply.removeHeader('content-length');
    return html;
  });

  app.get(COUNTER_PATHS.style, (_request, reply) =>
    reply
      .type('text/css; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(BAR_CSS),
  );

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => {
      payload
        .resume()
        .on('end', () => done(null))
        .on('error', done);
    });

    scope.post(COUNTER_PATHS.finished, async (request, reply) => {
      refuseOtherSites(request);
      const { cookies } = request;
      const device = await devices.find(cookies);
      if (!device) return reply.redirect(pathOf('signIn'), SEE_OTHER);
      if (await isBound(device, cookies)) await devices.clear(device, 'finished');
      return reply.headers(devices.wiping(cookies)).redirect(pathOf('counterNext'), SEE_OTHER);
    });

    // How much is left, after another window may have moved it; that is no sign of life.
    scope.get(COUNTER_PATHS.active, async ({ cookies }) => {
      const device = await devices.find(cookies);
      if (!device) throw new AppError('NOT_FOUND');
      return devices.timeOf(device, cookies);
    });

    scope.post(COUNTER_PATHS.active, async (request) => {
      refuseOtherSites(request);
      const { cookies } = request;
      const device = await devices.find(cookies);
      if (!device) throw new AppError('NOT_FOUND');
      // The clean start waits for the next person, who presses Start.
      const isUse = device.started_at !== null && (await isBound(device, cookies));
      const used = isUse ? await devices.recordUse(device, cookies) : null;
      return devices.timeOf(used ?? device, cookies);
    });
  });
}
