import Fastify from 'fastify';
import { beforeEach, expect, test } from 'vitest';
import { installPolicyReports } from './policy-reports.ts';

const PATH = '/api/PolicyReports';
let lines: string[];
let now: number;
beforeEach(() => {
  lines = [];
  now = 0;
});

/** A server with nothing but the reports, and its log. */
async function send(type: string, ...bodies: string[]) {
  const app = Fastify({
    logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } },
  });
  installPolicyReports(app, () => now);
  const answers = [];
  for (const payload of bodies) {
    const headers = { 'content-type': type };
    answers.push(await app.inject({ method: 'POST', url: PATH, headers, payload }));
  }
  await app.close();
  return answers.map(({ statusCode }) => statusCode);
}
const logged = () =>
  lines
    .map((line) => JSON.parse(line) as { directive?: string; blocked?: string })
    .filter(({ directive }) => directive);

const PAGE = 'https://login.example/account/resetPassword?resetLinkKey=canary-key';

test('[R32] [SEC-09] a report of the old kind: rule and origin are logged, and no address', async () => {
  const report = {
    'document-uri': PAGE,
    referrer: 'canary-referrer',
    'effective-directive': 'script-src-elem',
    'blocked-uri': 'https://evil.example/canary-path?x',
    'script-sample': 'canary-sample',
  };
  const sent = await send('application/csp-report', JSON.stringify({ 'csp-report': report }));
  expect(sent).toEqual([204]);
  expect(logged()).toMatchObject([
    { directive: 'script-src-elem', blocked: 'https://evil.example' },
  ]);
  expect(lines.join('')).not.toContain('canary');
});

test('[R32] [SEC-09] reports of the new kind, several in one', async () => {
  const body = (effectiveDirective: string, blockedURL: string) => ({
    type: 'csp-violation',
    url: PAGE,
    body: { documentURL: PAGE, effectiveDirective, blockedURL, sample: 'canary-sample' },
  });
  const reports = [
    body('require-trusted-types-for', 'trusted-types-sink'),
    body('script-src', 'inline'),
  ];
  expect(await send('application/reports+json', JSON.stringify(reports))).toEqual([204]);
  expect(logged()).toMatchObject([
    { directive: 'require-trusted-types-for', blocked: 'trusted-types-sink' },
    { directive: 'script-src', blocked: 'inline' },
  ]);
  expect(lines.join('')).not.toContain('canary');
});

test('[SEC-09] nonsense is taken and says nothing; what is too large, or of another type, is refused', async () => {
  const nonsense = ['{', '[]', 'null', '[null, 7, "x"]', '{"csp-report":7}'];
  expect(await send('application/csp-report', ...nonsense)).toEqual(nonsense.map(() => 204));
  expect(await send('application/csp-report', `{"a":"${'x'.repeat(9000)}"}`)).toEqual([413]);
  expect(await send('text/plain', '{}')).toEqual([415]);
  expect(logged().every(({ directive }) => directive === 'unknown')).toBe(true);
});

test('[SEC-09] a flood of them is a few lines a minute', async () => {
  const report = JSON.stringify({ 'csp-report': { 'effective-directive': 'img-src' } });
  await send('application/csp-report', ...Array.from({ length: 100 }, () => report));
  expect(logged()).toHaveLength(20);
  now = 60_000;
  await send('application/csp-report', report);
  expect(logged()).toHaveLength(21);
});
