// S13: what one address does to everybody else, in production mode on PostgreSQL: the calls and sign-ins of others, beside
// those next to one browser that keeps the server as busy and behaves well.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { openDatabase } from '../../src/server/db/database.ts';
import { type Proxy, type ProxyName, startProxy } from '../../src/server/testing/proxies.ts';
import { startMailReceiver } from '../../src/server/testing/receivers.ts';
import { createVisitor, PASSWORD } from '../../src/server/testing/visitor.ts';
import { type Figure } from '../../tools/figures.ts';
import { startServer } from '../../tools/server-process.ts';
import { fetchFrom } from './fetch-from.ts';
import type { Kind } from './hostile-crowd.ts';

const PUBLIC_URL = 'https://login.example.org';
const SUBTENANT = { id: 742, name: 'Rosewood', logo_path: '/logos/porchlight.svg' };
const EMAIL = 'owner@example.org';
/** The connections of one browser. */
const HONEST = { kind: 'kept', connections: 6 } as const;
const KINDS: readonly Kind[] = ['pipelined', 'kept', 'unread', 'calls', 'leaving'];
const SIZES = [1, 64, 512];
const FRONTS: readonly (ProxyName | null)[] = [null, 'nginx', 'haproxy'];
const WARM_UP_MS = 1500;
const MEASURED_MS = 8000;
const REST_MS = 1500;
const BETWEEN_CALLS_MS = 20;
const BUDGET = 3;

type Times = { readonly calls: number[]; readonly signIns: number[]; failed: number };

export async function measureHostile(databaseUrl: string, signal: AbortSignal): Promise<Figure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'porchlight-hostile-'));
  const modules = path.join(folder, 'modules.json');
  writeFileSync(modules, '[]');
  const mails = await startMailReceiver();
  const server = await startServer({
    databaseUrl,
    dataDir: folder,
    env: {
      PORCHLIGHT_MODE: 'production',
      PORCHLIGHT_PUBLIC_URL: PUBLIC_URL,
      PORCHLIGHT_SECRET: 'kq8Zr2Wm5Xv7Bn1Ct4Yd6Fg9Hj3Lp0Qs',
      SMTP_URL: mails.url,
      MAIL_FROM: 'help@example.org',
      PORCHLIGHT_MODULES_FILE: modules,
      PORCHLIGHT_HELP_PHONE: '+1 555 010 0100',
      PORCHLIGHT_HELP_EMAIL: 'help@example.org',
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'info',
    },
  });
  const { db, close } = await openDatabase({ url: databaseUrl });
  const codeFor = async (email: string) => {
    for (;;) {
      signal.throwIfAborted();
      const own = mails.mails.findLast((mail) => mail.includes(`\nTo: ${email}\n`));
      const code = own && /^Subject: (\d{6})/m.exec(own)?.[1];
      if (code) {
        mails.mails.length = 0;
        return code;
      }
      await sleep(5);
    }
  };
  let visitors = 0;
  /** Each has an address of its own: in a header, or in front of a proxy, which writes that header itself, in truth. */
  function visitor(front: Proxy | null) {
    if (!front) return createVisitor({ url: PUBLIC_URL, codeFor, behindProxy: server.url });
    visitors += 1;
    const address = `127.1.${(visitors >> 8) & 255}.${visitors & 255}`;
    const origin = { url: PUBLIC_URL, codeFor, behindProxy: front.url, fetchFrom };
    return createVisitor(origin, address);
  }

  async function others(front: Proxy | null, goesOn: () => boolean): Promise<Times> {
    const times: Times = { calls: [], signIns: [], failed: 0 };
    const timed = async (took: number[], work: () => Promise<unknown>) => {
      const begun = performance.now();
      await work().catch(() => (times.failed += 1));
      took.push(performance.now() - begun);
    };
    const person = visitor(front);
    await person.ok('getVisit', {}).catch(() => (times.failed += 1));
    await Promise.all([
      (async () => {
        while (goesOn()) {
          await timed(times.calls, () => person.ok('getVisit', {}));
          await sleep(BETWEEN_CALLS_MS);
        }
      })(),
      (async () => {
        while (goesOn()) {
          await timed(times.signIns, () => visitor(front).signIn(EMAIL, PASSWORD));
          await sleep(BETWEEN_CALLS_MS);
        }
      })(),
    ]);
    return times;
  }

  async function beside(front: Proxy | null, kind: Kind, connections: number): Promise<Times> {
    signal.throwIfAborted();
    const port = Number(new URL(front?.url ?? server.url).port);
    const crowd = new Worker(new URL('./hostile-crowd.ts', import.meta.url), {
      workerData: { port, kind, connections },
    });
    await sleep(WARM_UP_MS);
    const end = performance.now() + MEASURED_MS;
    const times = await others(front, () => performance.now() < end);
    const gone = once(crowd, 'message');
    crowd.postMessage('end');
    await gone;
    await sleep(REST_MS);
    return times;
  }

  try {
    await db.insertInto('subtenants').values(SUBTENANT).execute();
    await visitor(null).register({ emailAddress: EMAIL });
    const warmedUp = performance.now() + MEASURED_MS;
    await others(null, () => performance.now() < warmedUp);
    const figures: Figure[] = [];
    for (const front of FRONTS) {
      const own = Number(new URL(server.url).port);
      const proxy = front && (await startProxy(front, [own, own]));
      try {
        await proxy?.untilReady();
        const honest = await beside(proxy, HONEST.kind, HONEST.connections);
        figures.push(...figuresOf(`${front ?? 'direct'}: one honest browser`, honest, null));
        for (const kind of KINDS) {
          for (const size of SIZES) {
            const hostile = await beside(proxy, kind, size);
            figures.push(...figuresOf(`${front ?? 'direct'}: ${kind}, ${size}`, hostile, honest));
          }
        }
      } finally {
        await proxy?.close();
      }
    }
    return figures;
  } finally {
    await close();
    await server.stop();
    await mails.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function figuresOf(what: string, times: Times, honest: Times | null): Figure[] {
  return (['calls', 'signIns'] as const).map((name) => {
    const [half, most] = [part(times[name], 0.5), part(times[name], 0.99)];
    const baseline = `p50 ${half.toFixed(0)} ms, p99 ${most.toFixed(0)} ms, n ${times[name].length}, failed ${times.failed}`;
    if (!honest)
      return { id: 'S13', what: `${what}: p50 of ${name}`, unit: 'ms', value: half, baseline };
    const beside = part(honest[name], 0.5);
    const ratios = `; p99 ${(most / part(honest[name], 0.99)).toFixed(1)} times`;
    return {
      id: 'S13',
      what: `${what}: ${name} / honest`,
      unit: '',
      // A refusal comes quickly: it is no good figure.
      value: times.failed > 0 ? Number.NaN : half / beside,
      budget: BUDGET,
      baseline: baseline + ratios,
    };
  });
}

function part(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
