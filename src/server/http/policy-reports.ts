import type { FastifyInstance, FastifyReply } from 'fastify';
import { parseStrictJson } from '#domain/text/strict-json.ts';
import { MINUTE_MS } from '#domain/text/duration.ts';

/** The address for browsers' reports of violations of a page's content policy. */
const PATH = '/api/PolicyReports';
const GROUP = 'policy';
const LONGEST = 8 * 1024;
/** Any client can send reports: the log accepts so many a minute. */
const MOST_A_MINUTE = 20;

/** The old directive for Firefox; the header and its group for the others (R32). */
export const REPORT_DIRECTIVES = [`report-uri ${PATH}`, `report-to ${GROUP}`] as const;

/** Adds the reporting header, which browsers read only in the page's own response. */
export function withReporting(reply: FastifyReply): FastifyReply {
  return reply.header('reporting-endpoints', `${GROUP}="${PATH}"`);
}

/**
 * Logs violations: the rule, and the origin of the blocked resource. Addresses of pages may hold keys and are dropped.
 */
export function installPolicyReports(app: FastifyInstance, now: () => number): void {
  let minute = 0;
  let logged = 0;

  function isWithin(): boolean {
    const current = Math.floor(now() / MINUTE_MS);
    if (current !== minute) [minute, logged] = [current, 0];
    logged += 1;
    return logged <= MOST_A_MINUTE;
  }

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      ['application/csp-report', 'application/reports+json'],
      { parseAs: 'string', bodyLimit: LONGEST },
      async (_request: unknown, text: string) => text,
    );
    scope.post(PATH, async (request, reply) => {
      for (const stopped of readReports(String(request.body))) {
        if (isWithin()) request.log.warn(stopped, 'a page did what its policy forbids');
      }
      return reply.status(204).send();
    });
  });
}

type Stopped = { readonly directive: string; readonly blocked: string };

/** Reads both formats: one `csp-report`, or a list of reports. */
function readReports(text: string): readonly Stopped[] {
  try {
    const value = parseStrictJson(text);
    const items: unknown[] = Array.isArray(value) ? value : [value];
    return items.map(reportBody).filter((body) => body !== null);
  } catch {
    return [];
  }
}

function reportBody(item: unknown): Stopped | null {
  const report = (item ?? {}) as Record<string, Record<string, unknown> | undefined>;
  const old = report['csp-report'];
  const body = old ?? report.body;
  if (!body) return null;
  const directive = body['effective-directive'] ?? body.effectiveDirective;
  const blocked = body['blocked-uri'] ?? body.blockedURL;
  return { directive: reportWord(directive), blocked: originOf(blocked) };
}

const reportWord = (value: unknown): string =>
  typeof value === 'string' && /^[a-z-]{1,40}$/.test(value) ? value : 'unknown';

/** Returns an origin, or a keyword in its place: 'inline', 'eval', 'trusted-types-sink'. */
function originOf(value: unknown): string {
  return typeof value === 'string' && URL.canParse(value)
    ? new URL(value).origin
    : reportWord(value);
}
