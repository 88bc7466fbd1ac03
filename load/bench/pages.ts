// F2 and F8: when can somebody use the sign-in page on a slow phone, and how long is it blocked?
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium } from '@playwright/test';
import { CHROMIUM_ARGS } from '../../tools/chromium.ts';
import { type Figure, median } from '../../tools/figures.ts';
import { startServer } from '../../tools/server-process.ts';
import { serveBaselines } from './baselines/pages.ts';

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

/**
 * Runs in the page. Usable: the e-mail field is painted and enabled and something handles it, be it
 * the form's own submit (with a method), or React. A string, as the tools are checked without a DOM.
 */
const PROBE = `(() => {
  const probe = (window.__probe = { usable: 0, blocking: 0 });
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) probe.blocking += Math.max(0, task.duration - 50);
  }).observe({ type: 'longtask', buffered: true });
  const look = () => {
    const field = document.querySelector('input[type=email], input[autocomplete~=username]');
    const painted = performance.getEntriesByName('first-contentful-paint')[0];
    const isHandled = field && (field.form?.getAttribute('method') === 'post' ||
      Object.keys(field).some((key) => key.startsWith('__react')));
    if (field && painted && isHandled && !field.disabled && field.getClientRects().length > 0) {
      probe.usable = Math.max(painted.startTime, performance.now());
      return;
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;

type Visit = {
  usable: number;
  blocking: number;
};

export async function measurePages(executablePath: string, signal: AbortSignal): Promise<Figure[]> {
  const baselines = await serveBaselines();
  const server = await startServer();
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
  try {
    const pages = {
      plain: baselines.plain,
      react: baselines.react,
      signIn: `${server.url}/account/signin`,
      signUp: `${server.url}/Account/SignUp`,
    };
    await requireAnswer(pages.signIn);
    const runs: Record<keyof typeof pages, Visit[]> = {
      plain: [],
      react: [],
      signIn: [],
      signUp: [],
    };
    // Interleaved, so that a noise of the machine falls on all of them; the first round warms up.
    for (let round = 0; round <= RUNS; round += 1) {
      for (const name of ['plain', 'signIn', 'signUp', 'react'] as const) {
        signal.throwIfAborted();
        const visit = await visitPage(browser, pages[name]);
        if (round > 0) runs[name].push(visit);
      }
    }
    const usable = (name: keyof typeof pages): number[] => runs[name].map((visit) => visit.usable);
    const blocking = runs.signIn.map((visit) => visit.blocking);
    const ms = (name: keyof typeof pages): string => `${Math.round(median(usable(name)))} ms`;
    /** How much later a page of ours is usable than a baseline. */
    const beside = (
      what: string,
      ours: 'signIn' | 'signUp',
      other: 'plain' | 'react',
      budget: number,
    ) => {
      const ratios = usable(ours).map((value, at) => value / (usable(other)[at] ?? Number.NaN));
      const baseline = `${ms(ours)} : ${ms(other)}`;
      return { id: 'F2', what, unit: '', value: median(ratios), runs: ratios, budget, baseline };
    };
    return [
      beside('sign-in usable / plain HTML form', 'signIn', 'plain', 1.1),
      beside('sign-in usable / React in the browser', 'signIn', 'react', 0.35),
      beside('sign-up usable / plain HTML form', 'signUp', 'plain', 2.28),
      {
        id: 'F8',
        what: 'sign-in blocks the main thread',
        unit: 'ms',
        value: median(blocking),
        runs: blocking,
        budget: 50,
      },
    ];
  } finally {
    await browser.close();
    await server.stop();
    baselines.stop();
  }
}

/** A form with a method is only usable where what it sends is answered (NOS-01). */
async function requireAnswer(url: string): Promise<void> {
  const body = new URLSearchParams({ action: 'sign-in', email: '', password: '' });
  // As a browser says it: a form of another site is refused.
  const { origin } = new URL(url);
  const { status } = await fetch(url, { method: 'POST', body, headers: { origin } });
  if (status !== 200) throw new Error(`The form of ${url} was answered ${status}.`);
}

async function visitPage(browser: Browser, url: string): Promise<Visit> {
  // A fresh context is a cold cache.
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
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
      if (visit.usable > 0) return visit;
      await sleep(100);
    }
    throw new Error(`${url} was not usable within ${TIMEOUT_MS / 1000} s.`);
  } finally {
    await context.close();
  }
}
