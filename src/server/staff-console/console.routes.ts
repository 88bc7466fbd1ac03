import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FOLLOW_HEADER } from '#contract/console.ts';
import { AREA_PATHS, type ConsoleArea, consolePath } from '#domain/help-desk/console-paths.ts';
import { consoleAreasOf } from '#domain/help-desk/console-rights.ts';
import {
  CONSOLE_NEXT,
  CONSOLE_PATH,
  EXPIRED_QUERY,
  NEXT_QUERY,
  pathOf,
} from '#domain/flow/screens.ts';
import { signOut } from '../access/sessions.ts';
import type { FullContext } from '../access/context.ts';
import { AppError } from '../http/app-error.ts';
import { refuseOtherSites } from '../http/csrf.ts';
import { FORM_REFERRER_POLICY } from '../http/headers.ts';
import type { Caller, VisitCookie } from '../http/visit-cookie.ts';
import { createAnswerOnce } from '../ssr/answer-once.ts';
import { displayAttributes } from '../ssr/display-cookie.ts';
import type { PortalBuild } from '../ssr/portal-build.ts';
import type { Subtenants } from '../subtenants/subtenants.ts';
import {
  type ConsoleBuild,
  consoleBody,
  consolePolicy,
  writeConsolePage,
} from './console-build.ts';
import { type createConsole, type FormAnswer, NOT_FOUND, verbIn } from './console.ts';
import type { FindStaff, Staff, StaffOrNot } from './staff.ts';
import type { createVerbForms } from './people/verb-forms.ts';

const SEE_OTHER = 303;
const CSV_TYPE = 'text/csv; charset=utf-8';
/** A logo of a megabyte, and the fields beside it. */
const MOST_BYTES_OF_FORM = 1_500_000;
/** The largest form of the console has half as many. */
const MOST_FIELDS = 32;
const STATUS = {
  notYours: 404,
  notFound: 404,
  noPageCode: 404,
  tooMany: 429,
  tooLarge: 413,
  pageCodesOff: 429,
  stale: 403,
} as const;

export type ConsoleParts = {
  readonly context: FullContext;
  readonly builds: { readonly portal: PortalBuild; readonly console: ConsoleBuild };
  readonly findStaff: FindStaff;
  readonly pages: ReturnType<typeof createConsole>;
  readonly forms: ReturnType<typeof createVerbForms>;
  readonly visits: Pick<VisitCookie, 'isOwnForm' | 'tokenIn'>;
  readonly subtenants: Pick<Subtenants, 'shownLately'>;
  readonly areas: readonly Area[];
};

/** A request below the address of an area. */
export type AreaRequest = {
  /** The words of the address after the area's own. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
  readonly caller: Caller;
};

/** An area of the console: what it shows, and what the forms of its own pages do. */
export type Area = {
  readonly area: Exclude<ConsoleArea, 'people'>;
  /** @param sent `null` when the page is only shown */
  readonly answer: (staff: Staff, asked: AreaRequest, sent: FormData | null) => Promise<FormAnswer>;
};

type Params = { readonly id?: string; readonly verb?: string };
/** @param sent `null` when the page is only shown */
type Work = (staff: Staff, request: FastifyRequest, sent: FormData | null) => Promise<FormAnswer>;

/** Installs `/console`: pages without script, each for a staff member whose session is looked up anew. */
export async function installConsole(app: FastifyInstance, parts: ConsoleParts): Promise<void> {
  const { context, builds, findStaff, pages, forms, visits, subtenants, areas } = parts;
  const answerOnce = createAnswerOnce<FormAnswer>(context, () => null);

  const found = new WeakMap<FastifyRequest, Staff>();

  /** Finds the staff member before a body is read; anybody else is led away. */
  async function findFirst(request: FastifyRequest, reply: FastifyReply) {
    const staff = await findStaff(request.cookies, FOLLOW_HEADER in request.headers);
    if (typeof staff === 'string') return reply.redirect(awayFor(staff), SEE_OTHER);
    found.set(request, staff);
    // Before a body is read: what is not the staff member's and what never was look alike (HOU-03).
    return isOpenTo(staff, request.url) ? undefined : give(request, reply, staff, NOT_FOUND);
  }

  const asStaff =
    (work: Work) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const staff = found.get(request);
      if (!staff) throw new AppError('NO_SESSION');
      return give(request, reply, staff, await work(staff, request, null).catch(toAnswer));
    };

  async function give(
    request: FastifyRequest,
    reply: FastifyReply,
    staff: Staff,
    answer: FormAnswer,
  ): Promise<FastifyReply> {
    if ('page' in answer) return reply.redirect(answer.page, SEE_OTHER);
    if ('html' in answer) {
      return reply
        .header('content-security-policy', answer.policy)
        .header('x-robots-tag', 'noindex, nofollow')
        .type('text/html; charset=utf-8')
        .send(answer.html);
    }
    if ('file' in answer) {
      const isCsv = answer.name.endsWith('.csv');
      return reply
        .header('content-disposition', `attachment; filename="${answer.name}"`)
        .type(isCsv ? CSV_TYPE : 'application/json; charset=utf-8')
        .send(answer.file);
    }
    const { content } = answer;
    const nonce = randomBytes(16).toString('base64');
    const area = areaOfPath(request.url, staff);
    const rendered = builds.console.render(await pages.frame(staff, content, area));
    const { accent } = await subtenants.shownLately(staff.subtenantId);
    const attributes = displayAttributes(request.raw);
    return reply
      .status(content.kind === 'message' ? STATUS[content.message] : 200)
      .header('content-security-policy', consolePolicy(nonce, rendered))
      .header('referrer-policy', FORM_REFERRER_POLICY)
      .header('x-robots-tag', 'noindex, nofollow')
      .type('text/html; charset=utf-8')
      .send(
        staff.isFollowing
          ? consoleBody(builds.portal, rendered.html)
          : writeConsolePage(builds, rendered, { nonce, attributes, accent }),
      );
  }

  /** Runs a form of the console's own page, once. */
  const onForm = (work: Work) =>
    asStaff(async (staff, request) => {
      refuseOtherSites(request);
      const sent = sentForm(request.body);
      const { url, cookies } = request;
      if (!visits.isOwnForm(staff.visit, cookies, sent)) throw new AppError('FORBIDDEN');
      const form = { url, body: await formText(sent), browser: visits.tokenIn(cookies) };
      return answerOnce(form, sent, () => work(staff, request, sent));
    });

  /** Installs a page with a form. */
  function installForm(scope: FastifyInstance, path: string, work: Work): void {
    scope.get(path, asStaff(work));
    scope.post(path, onForm(work));
  }

  const callerOf = (staff: Staff, request: FastifyRequest) => ({
    visit: staff.visit,
    ip: request.ip,
    cookies: request.cookies,
  });

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addHook('onRequest', findFirst);
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: FastifyRequest, text: string) => text,
    );
    scope.setErrorHandler((error: { readonly code?: string }, request, reply) => {
      // Any other error is for the handler of the whole server.
      if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error;
      return asStaff(async () => ({ content: { kind: 'message', message: 'tooLarge' } }))(
        request,
        reply,
      );
    });
    const show = (path: string, work: Work) => scope.get(path, asStaff(work));
    show(consolePath('people'), async (staff, request) => ({
      content: await pages.search(staff, queryOf(request)),
    }));
    show(consolePath('people', ':id'), async (staff, request) => {
      const { id } = request.params as Params;
      return { content: await pages.person(staff, idFromPath(id), queryOf(request)) };
    });
    installForm(scope, consolePath('people', ':id', ':verb'), async (staff, request, sent) => {
      const { id, verb: word = '' } = request.params as Params;
      const verb = verbIn(word);
      if (verb === null || verb === 'look' || verb === 'invite') return NOT_FOUND;
      return forms.onPerson(staff, verb, idFromPath(id), {
        sent,
        caller: callerOf(staff, request),
      });
    });
    installForm(scope, consolePath('invite'), (staff, request, sent) =>
      forms.invite(staff, { sent, caller: callerOf(staff, request) }),
    );
    show(consolePath('more'), async () => ({ content: { kind: 'more' } }));
    installForm(scope, `${CONSOLE_PATH}/*`, async () => NOT_FOUND);
    for (const each of areas) {
      await scope.register(async (ofArea) => {
        // The logo is the only file.
        if (each.area === 'subtenants' || each.area === 'house') readFiles(ofArea);
        installArea(ofArea, each);
      });
    }
    scope.post(
      consolePath('signOut'),
      onForm(async (staff) => {
        await signOut(context, staff, staff.signInId);
        context.outbox.wake();
        return { page: pathOf('signIn') };
      }),
    );
  });

  function installArea(ofArea: FastifyInstance, { area, answer }: Area): void {
    for (const path of [consolePath(area), consolePath(area, '*')]) {
      installForm(ofArea, path, async (staff, request, sent) => {
        const asked = {
          rest: request.url.split('?', 1)[0]?.split('/').slice(3) ?? [],
          query: queryOf(request),
          caller: callerOf(staff, request),
        };
        return answer(staff, asked, sent);
      });
    }
  }
}

/** Returns the page of a refusal: a limit, or a form that is none of ours. Rethrows every other error. */
function toAnswer(error: unknown): FormAnswer {
  if (!(error instanceof AppError)) throw error;
  const message = error.code === 'TOO_MANY' ? 'tooMany' : 'stale';
  return { content: { kind: 'message', message } };
}

/** Returns the answer for a visitor without console rights: the sign-in, which returns here, or a page with words. */
function awayFor(staff: Exclude<StaffOrNot, Staff>): string {
  if (staff === 'sharedDevice') return pathOf('ownDevice');
  if (staff === 'noRights') return pathOf('notFound');
  const query = new URLSearchParams({
    [NEXT_QUERY]: CONSOLE_NEXT,
    ...(staff === 'idle' && { [EXPIRED_QUERY]: '1' }),
  });
  return `${pathOf('signIn')}?${String(query)}`;
}

/** Lets the forms of a scope hold files. */
function readFiles(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: MOST_BYTES_OF_FORM },
    async ({ headers }: FastifyRequest, bytes: Buffer) => {
      // Counted before they are parsed.
      const fields = bytes.toString('latin1').split('\r\n--', MOST_FIELDS + 2).length - 1;
      if (fields > MOST_FIELDS) throw new AppError('BAD_REQUEST');
      const type = headers['content-type'] ?? '';
      const form = new Response(new Uint8Array(bytes), { headers: { 'content-type': type } });
      return form.formData().catch(() => {
        throw new AppError('BAD_REQUEST');
      });
    },
  );
}

const PAGES = ['people', 'invite', 'more', 'sign-out'];

/** Returns whether an address is that of a page or an area of the staff member. */
function isOpenTo({ role }: Staff, url: string): boolean {
  const [, , word = ''] = (url.split('?', 1)[0] ?? '').split('/');
  return (
    word === '' ||
    PAGES.includes(word) ||
    consoleAreasOf(role).some((area) => AREA_PATHS[area] === word)
  );
}

/** Returns the area of an address. */
function areaOfPath(url: string, { role }: Staff) {
  const [, , word] = url.split(/[/?]/);
  if (word === 'more') return 'more';
  if (word === 'invite') return 'invitations';
  return consoleAreasOf(role).find((area) => AREA_PATHS[area] === word) ?? 'people';
}

const idFromPath = (text = ''): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0);

const queryOf = ({ url }: FastifyRequest) => new URLSearchParams(url.split('?', 2)[1] ?? '');

/** Returns the fields of a form as text, and of its files a digest: two presses of one button have the same. */
async function formText(sent: FormData): Promise<string> {
  const fields = await Promise.all(
    [...sent.entries()].map(async ([name, value]): Promise<[string, string]> => {
      if (typeof value === 'string') return [name, value];
      const bytes = new Uint8Array(await value.arrayBuffer());
      return [name, createHash('sha256').update(bytes).digest('base64')];
    }),
  );
  return String(new URLSearchParams(fields));
}

/** @throws AppError BAD_REQUEST when it is no form */
function sentForm(body: unknown): FormData {
  if (body instanceof FormData) return body;
  if (typeof body !== 'string') throw new AppError('BAD_REQUEST');
  if (body.split('&', MOST_FIELDS + 1).length > MOST_FIELDS) throw new AppError('BAD_REQUEST');
  const form = new FormData();
  for (const [name, value] of new URLSearchParams(body)) form.append(name, value);
  return form;
}
