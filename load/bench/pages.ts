// F2 and F8: when does a slow phone show a page, when can somebody use it, and what makes it late?
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync } from 'node:zlib';
import { type Browser, chromium } from '@playwright/test';
import { CHROMIUM_ARGS } from '../../tools/chromium.ts';
import { type Figure, median } from '../../tools/figures.ts';
import { startServer } from '../../tools/server-process.ts';
import { serveBaselines } from './baselines/pages.ts';
import { prepareSignIn } from './sign-in-client.ts';

const RUNS = 7;
const TIMEOUT_MS = 60_000;
/** A slow mobile network and a phone at a quarter of this machine's speed. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1000 * 1000) / 8,
  uploadThroughput: (0.75 * 1000 * 1000) / 8,
};
const CPU_SLOWDOWN = 4;
/** Painted at most so much later than a plain form; the others are shown beside. */
const PAINTED: Readonly<Record<string, number>> = { 'sign-in': 1.5, 'sign-up': 1.5, forgot: 1.5 };

/**
 * Runs in the page. Usable: the first field is painted and enabled and something handles it, be it
 * the form's own submit (with a method), or React. Awake: React handles it, after a touch once it is usable.
 * A string, as the tools are checked without a DOM.
 */
const PROBE = `(() => {
  const probe = (window.__probe = { painted: 0, usable: 0, awake: 0, blocking: 0 });
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) probe.blocking += Math.max(0, task.duration - 50);
  }).observe({ type: 'longtask', buffered: true });
  const look = () => {
    const painted = performance.getEntriesByName('first-contentful-paint')[0];
    if (painted) probe.painted ||= painted.startTime;
    const field = document.querySelector('main :is(input:not([type=hidden]), h1)');
    const isReact = field && Object.keys(field).some((key) => key.startsWith('__react'));
    const isHandled = field?.form?.getAttribute('method') === 'post' || field?.matches('h1') || isReact;
    const isShown = field && !field.disabled && field.getClientRects().length > 0;
    const now = Math.max(probe.painted, performance.now());
    if (painted && isShown && isHandled && !probe.usable) {
      probe.usable = now;
      dispatchEvent(new PointerEvent('pointermove', { movementX: 1 }));
    }
    if (probe.usable && isReact) probe.awake = now;
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;

type Visit = { painted: number; usable: number; awake: number; blocking: number };
type Page = {
  readonly url: string;
  readonly cookies?: string;
  /** Nothing wakes it. */
  readonly isStill?: boolean;
};

/** What is left out of sign-in, to see what it costs. */
const ABLATIONS = {
  'without scripts': (html: string) => html.replaceAll(/<script nonce.*?<\/script>/gs, ''),
  'without pictures': (html: string) => html.replaceAll(/<svg.*?<\/svg>|<img[^>]*>/gs, ''),
  'without styles': (html: string) => html.replaceAll(/<style.*?<\/style>/gs, ''),
};

export async function measurePages(executablePath: string, signal: AbortSignal): Promise<Figure[]> {
  const baselines = await serveBaselines();
  const server = await startServer();
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
  const signIn = `${server.url}/account/signin`;
  const html = await (await fetch(signIn)).text();
  const less = await serveAblations(html);
  try {
    await requireAnswer(signIn);
    const coded = await prepareSignIn(server.url, 'member@demo.porchlight.test');
    await coded.password();
    await coded.sendCode();
    const signedIn = await prepareSignIn(server.url, 'top@demo.porchlight.test');
    await signedIn.password();
    await signedIn.sendCode();
    await signedIn.readCode();
    await signedIn.finish();
    const pages: Readonly<Record<string, Page>> = {
      plain: { url: baselines.plain, isStill: true },
      'React prerendered': { url: baselines.prerendered },
      'React in the browser': { url: baselines.react },
      'sign-in': { url: signIn },
      'sign-up': { url: `${server.url}/Account/SignUp` },
      forgot: { url: `${server.url}/account/ForgetPassword` },
      code: { url: `${server.url}/account/verifyOtp`, cookies: coded.cookies() },
      redirect: { url: `${server.url}/account/Redirect`, cookies: signedIn.cookies() },
      ...less.pages,
    };
    const runs = Object.fromEntries(Object.keys(pages).map((name) => [name, [] as Visit[]]));
    // Interleaved, so that a noise of the machine falls on all of them; the first round warms up.
    for (let round = 0; round <= RUNS; round += 1) {
      for (const [name, page] of Object.entries(pages)) {
        signal.throwIfAborted();
        const visit = await visitPage(browser, page);
        if (round > 0) runs[name]?.push(visit);
      }
    }
    /** How much later a page is painted, usable or awake than the plain form is painted. */
    const beside = (
      name: string,
      moment: 'painted' | 'usable' | 'awake',
      budget?: number,
    ): Figure => {
      const plain = runs.plain?.map(({ painted }) => painted) ?? [];
      const times = runs[name]?.map((visit) => visit[moment]) ?? [];
      const ratios = times.map((ms, at) => ms / (plain[at] ?? Number.NaN));
      const baseline = `${Math.round(median(times))} ms : ${Math.round(median(plain))} ms`;
      const what = `${name} ${moment} / plain HTML form painted`;
      const figure = { id: 'F2', what, unit: '', value: median(ratios), runs: ratios, baseline };
      return budget === undefined ? figure : { ...figure, budget };
    };
    const blocking = runs['sign-in']?.map((visit) => visit.blocking) ?? [];
    const ours = ['sign-in', 'sign-up', 'forgot', 'code', 'redirect'];
    return [
      ...['React prerendered', 'React in the browser'].map((name) => beside(name, 'painted')),
      ...ours.map((name) => beside(name, 'painted', PAINTED[name])),
      ...ours.map((name) => beside(name, 'usable')),
      ...ours.map((name) => beside(name, 'awake')),
      ...Object.keys(less.pages).map((name) => beside(name, 'painted')),
      {
        id: 'F8',
        what: 'sign-in blocks the main thread until it is awake',
        unit: 'ms',
        value: median(blocking),
        runs: blocking,
      },
    ];
  } finally {
    await browser.close();
    await server.stop();
    less.stop();
    baselines.stop();
  }
}

/** Serves sign-in with a part left out. Its files are elsewhere: none is asked for before the first paint. */
async function serveAblations(html: string) {
  const documents = Object.entries(ABLATIONS).map(([name, without]) => ({
    name: `sign-in ${name}`,
    path: `/${name.replaceAll(' ', '-')}`,
    body: brotliCompressSync(without(html)),
  }));
  const server = createServer((request, response) => {
    const found = documents.find(({ path }) => path === request.url);
    if (!found) return response.writeHead(404).end();
    const head = { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'br' };
    return response.writeHead(200, head).end(found.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The ablations have no address.');
  const pages = documents.map(({ name, path }) => {
    const page: Page = { url: `http://127.0.0.1:${address.port}${path}`, isStill: true };
    return [name, page] as const;
  });
  return { pages: Object.fromEntries(pages), stop: () => void server.close() };
}

/** A form with a method is only usable where what it sends is answered (NOS-01). */
async function requireAnswer(url: string): Promise<void> {
  const body = new URLSearchParams({ action: 'sign-in', email: '', password: '' });
  // As a browser says it: a form of another site is refused.
  const { origin } = new URL(url);
  const { status } = await fetch(url, { method: 'POST', body, headers: { origin } });
  if (status !== 200) throw new Error(`The form of ${url} was answered ${status}.`);
}

async function visitPage(browser: Browser, { url, cookies = '', isStill }: Page): Promise<Visit> {
  // A fresh context is a cold cache.
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  try {
    const pairs = cookies.split('; ').filter(Boolean);
    await context.addCookies(
      pairs.map((pair) => {
        const at = pair.indexOf('=');
        return { name: pair.slice(0, at), value: pair.slice(at + 1), url: new URL(url).origin };
      }),
    );
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    // What a page sends would lead on to the next one.
    await devtools.send('Network.setBlockedURLs', { urls: ['*/api/*'] });
    await devtools.send('Network.emulateNetworkConditions', NETWORK);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.addInitScript(PROBE);
    await page.goto(url, { waitUntil: 'networkidle', timeout: TIMEOUT_MS });
    const deadline = performance.now() + TIMEOUT_MS;
    while (performance.now() < deadline) {
      // Through the debugger: what Playwright evaluates as text is stopped by a strict policy.
      const { result } = await devtools.send('Runtime.evaluate', {
        expression: 'window.__probe',
        returnByValue: true,
      });
      const visit = result.value as Visit;
      if (visit.usable > 0 && (isStill || visit.awake > 0)) return visit;
      await sleep(100);
    }
    throw new Error(`${url} was not usable within ${TIMEOUT_MS / 1000} s.`);
  } finally {
    await context.close();
  }
}
