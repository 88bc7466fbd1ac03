/** `porchlight module check`: plays the portal against a module that runs, for its developers. */

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { isLoopbackHost } from '#domain/hand-off/loopback.ts';
import { carriesCredential } from '#domain/people/role-routing.ts';
import { type ModuleId, ROLE_IDS, type RoleId, roleOf } from '#domain/people/roles.ts';
import { moduleCommand as texts, moduleSeen } from '#locales/operator/module-command.ts';
import { fill } from '#locales/fill.ts';
import { fileFault } from '#server/config/fault-words.ts';
import type { ModuleConfig } from '#server/config/modules-file.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { originFault, originIn } from '#server/config/origin.ts';
import { hashToken, isSame, randomToken } from '#server/crypto/secret-box.ts';
import { call } from '#module-kit/browser.ts';
import { type Checked, checkModule } from '#module-kit/check.ts';
import { startCheckPortal } from '#module-kit/portal.ts';
import { MINUTE_MS } from '#domain/text/duration.ts';
import { type CommandOf, type Installation, type Output, output } from './command.ts';
import { isModuleId, moduleIdIn, readModulesOf } from './module-file.ts';
import { wrongUsage } from './program.ts';

const DEMO_PORTAL = 'http://localhost:3000';
const START_MS = MINUTE_MS;
const POLL_MS = 200;

type Check = CommandOf<'module'>['check'];
type Values = Parameters<Check>[1];

export const moduleCheck: Check = ([word = ''], values) => {
  const isAddress = /^https?:/.test(word) && URL.canParse(word);
  if (!isAddress) moduleIdIn(word);
  if (values.id !== undefined) {
    if (!isAddress) throw wrongUsage('module', 'check', texts.idTwice);
    moduleIdIn(values.id);
  }
  return (at) => check(at, word, values);
};

/** The module under test, and the credentials of its calls of Redeem. */
type Plan = Checked & {
  readonly id: ModuleId;
  readonly secretHash: string;
  readonly sealedTo: ModuleConfig['sealedTo'];
  /** `null`: the module has its own. */
  readonly secret: string | null;
};

/** @throws OperatorError when the file cannot be read */
function secretIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new OperatorError(`${file}: ${fileFault(error)}`);
  }
}

function plan(at: Installation, word: string, values: Values): Plan {
  const { login, 'sign-out': ownSignOut = null, 'sign-out-url': signOutUrl } = values;
  if (isModuleId(word)) {
    const entry = readModulesOf(at).modules.find(({ id }) => id === word);
    if (!entry) throw new OperatorError(fill(texts.unknown, { id: word }));
    return {
      ...entry,
      loginUrl: login ?? entry.loginUrl,
      signOutUrl: signOutUrl ?? entry.signOutUrl,
      ownSignOut,
      secretHash: entry.secretHash ?? '',
      secret: null,
    };
  }
  const file = values['secret-file'];
  const secret = file === undefined ? randomToken() : secretIn(file);
  return {
    id: isModuleId(values.id ?? '') ? (values.id as ModuleId) : 'admin',
    rootUrl: word,
    loginUrl: login ?? new URL('login', word).href,
    signOutUrl: signOutUrl ?? null,
    ownSignOut,
    secretHash: hashToken(secret),
    sealedTo: null,
    secret: file === undefined ? secret : null,
  };
}

async function check(at: Installation, word: string, values: Values): Promise<Output> {
  const planned = plan(at, word, values);
  const url = portalOf(at, values.portal);
  const { id, secretHash, secret } = planned;
  const sealing = planned.sealedTo === null ? undefined : roleFor(id, carriesCredential);
  const portal = await startCheckPortal({
    url,
    module: id,
    roleId: sealing ?? someRole(id),
    isSecret: (given) => isSame(hashToken(given), secretHash),
    sealedTo: sealing === undefined ? null : planned.sealedTo,
  }).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(fill(texts.inUse, { portal: url, reason: error.code ?? '' }));
  });
  const started = values.run === undefined ? null : start(values.run, planned, url);
  try {
    at.say?.(fill(texts.portal, { portal: url }));
    if (!started) {
      at.say?.(secret === null ? fill(texts.startOwn, { id }) : fill(texts.start, { id, secret }));
    }
    await untilReached(planned.rootUrl, started, values.run);
    const findings = await checkModule(portal, planned);
    const faults = findings.filter(({ state }) => state === 'fault').length;
    const lines = findings.map((each) => fill(texts[each.state], each));
    const left = [
      ...(planned.signOutUrl === null ? [moduleSeen.noSignOutUrl] : []),
      ...(planned.ownSignOut === null ? [moduleSeen.noSignOut] : []),
      ...(planned.sealedTo !== null && sealing === undefined ? [moduleSeen.noCredential] : []),
    ].map((what) => fill(texts.unchecked, { what }));
    const end = fill(texts.done, { count: findings.length, faults });
    return output([...lines, ...left, end], findings, faults > 0);
  } finally {
    started?.kill();
    await portal.close();
  }
}

/** The demo's own address, unless another is named: a module that was made for it is checked as it is. */
function portalOf({ env }: Installation, named: string | undefined): string {
  const { PORCHLIGHT_PUBLIC_URL, PORT } = env();
  const isLocal = (text: string) =>
    URL.canParse(text) &&
    new URL(text).protocol === 'http:' &&
    isLoopbackHost(new URL(text).hostname);
  const own = PORCHLIGHT_PUBLIC_URL || (PORT ? `http://localhost:${PORT}` : DEMO_PORTAL);
  const url = named ?? (isLocal(own) ? own : DEMO_PORTAL);
  if (!isLocal(url)) throw new OperatorError(fill(texts.notHere, { portal: url }));
  const origin = originIn(url);
  if (origin === null) throw new OperatorError(`--portal ${originFault(url)}`);
  return origin;
}

/** A role that is handed to this module, and fits. */
function roleFor(id: ModuleId, isFit: (role: RoleId) => boolean): RoleId | undefined {
  return ROLE_IDS.find((each) => roleOf(each).entry?.module === id && isFit(each));
}

function someRole(id: ModuleId): RoleId {
  const role = roleFor(id, () => true);
  if (role === undefined) throw new Error(`No role leads to ${id}`);
  return role;
}

/** Starts the module as a child process, with the environment of the examples. */
function start(command: string, { id, rootUrl, secret }: Plan, portal: string) {
  const { origin, port } = new URL(rootUrl);
  return spawn('sh', ['-c', `exec ${command}`], {
    // Programs read our own output.
    stdio: ['ignore', process.stderr, process.stderr],
    env: {
      ...process.env,
      PORTAL: portal,
      MODULE: id,
      ORIGIN: origin,
      PORT: port,
      ...(secret !== null && { SECRET: secret }),
    },
  });
}

/** Waits for the module: a start by hand takes a while. @throws OperatorError when the command of --run has ended */
async function untilReached(
  url: string,
  started: ChildProcess | null,
  command = '',
): Promise<void> {
  const until = Date.now() + START_MS;
  while ((await call(url, {})).status === null && Date.now() < until) {
    const hasEnded = started && (started.exitCode !== null || started.signalCode !== null);
    if (hasEnded) throw new OperatorError(fill(texts.ended, { command }));
    await wait(POLL_MS);
  }
}
