import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../../../tools/browsers.ts';
import { freePort } from '../../../src/server/testing/free-port.ts';
import { type Driver, type Key, type Tab, WINDOW } from './driver.ts';

/** Nothing takes a driver that long. */
const LIMIT_MS = 30_000;

/** The keyboard of https://www.w3.org/TR/webdriver2/#keyboard-actions. */
const KEYS: Readonly<Record<Key, string>> = {
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  ArrowDown: '\uE015',
};

/** The test browser's buttons would keep its window from being as narrow as a phone. */
const GTK_STYLES =
  'button, entry, headerbar, toolbar, box { min-width: 0; padding: 0; margin: 0; }';

type Send = (method: string, command: string, body?: object) => Promise<unknown>;

/** WebKitGTK over plain WebDriver, on a screen that nobody sees. */
export async function startWebKit(
  { executable, driver, xvfb }: Extract<Engine, { name: 'webkit' }>,
  hasScript: boolean,
): Promise<Driver> {
  const settings = mkdtempSync(path.join(tmpdir(), 'porchlight-webkit-'));
  mkdirSync(path.join(settings, 'gtk-3.0'));
  writeFileSync(path.join(settings, 'gtk-3.0', 'gtk.css'), GTK_STYLES);
  const screen = spawn(
    xvfb,
    ['-displayfd', '1', '-screen', '0', '1600x1300x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const close = async () => {
    await end(screen);
    rmSync(settings, { recursive: true, force: true });
  };
  try {
    const [display] = (await once(createInterface(screen.stdout), 'line', {
      signal: AbortSignal.timeout(LIMIT_MS),
    })) as [string];
    const env = { ...process.env, DISPLAY: `:${display}`, XDG_CONFIG_HOME: settings };
    const args = ['--automation', `--enable-javascript=${hasScript}`];
    return { open: () => openTab({ driver, executable, args, env }), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A visitor gets a driver of their own: one that has ended a session sometimes hangs at the next. */
async function openTab({
  driver,
  executable,
  args,
  env,
}: {
  driver: string;
  executable: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
}): Promise<Tab> {
  const port = await freePort();
  const child = spawn(driver, [`--port=${port}`], { env, stdio: 'ignore' });
  try {
    const send = await connect(`http://127.0.0.1:${port}`);
    const tab = await openSession(send, { binary: executable, args });
    return {
      ...tab,
      async close() {
        try {
          await tab.close();
        } finally {
          await end(child);
        }
      },
    };
  } catch (error) {
    await end(child);
    throw error;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

async function connect(url: string): Promise<Send> {
  const send: Send = async (method, command, body) => {
    const answer = await fetch(url + command, {
      method,
      signal: AbortSignal.timeout(LIMIT_MS),
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await answer.json()) as { value: unknown };
    if (answer.ok) return value;
    throw new Error(`WebDriver refused ${method} ${command}: ${JSON.stringify(value)}`);
  };
  for (const deadline = Date.now() + LIMIT_MS; ; await sleep(50)) {
    try {
      await send('GET', '/status');
      return send;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

/** A session is a browser of its own, with nothing kept from the one before. */
async function openSession(
  send: Send,
  options: { readonly binary: string; readonly args: readonly string[] },
): Promise<Tab> {
  const { sessionId } = (await send('POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
  })) as { sessionId: string };
  const command = (method: string, name: string, body?: object) =>
    send(method, `/session/${sessionId}${name}`, body);
  const evaluate = (expression: string) =>
    command('POST', '/execute/sync', { script: `return ${expression}`, args: [] });
  const act = async (device: object, actions: readonly object[]) => {
    await command('POST', '/actions', { actions: [{ ...device, actions }] });
  };
  const pointer = { type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' } };
  const moveTo = (x: number, y: number) => ({
    type: 'pointerMove',
    x: Math.round(x),
    y: Math.round(y),
  });
  const strike = (keys: readonly string[]) =>
    act(
      { type: 'key', id: 'keyboard' },
      keys.flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]),
    );

  const tab: Tab = {
    goto: async (url) => void (await command('POST', '/url', { url })),
    evaluate,
    point: (x, y) => act(pointer, [moveTo(x, y)]),
    click: (x, y) =>
      act(pointer, [
        moveTo(x, y),
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]),
    type: (text) => strike([...text]),
    press: (key) => strike([KEYS[key]]),
    async resize(width, height) {
      const bars = Number(await evaluate('outerHeight - innerHeight'));
      await command('POST', '/window/rect', { width, height: height + bars });
    },
    screenshot: async () => Buffer.from((await command('GET', '/screenshot')) as string, 'base64'),
    close: async () => void (await command('DELETE', '')),
  };
  await tab.resize(WINDOW.width, WINDOW.height);
  return tab;
}
