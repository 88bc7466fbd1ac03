/** `porchlight module`: the modules of the settings, and what their developers check them with. */

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { isLoopbackHost } from '#domain/loopback.ts';
import { carriesCredential } from '#domain/role-routing.ts';
import { MODULE_IDS, type ModuleId, type RoleId, roleOf, ROLES } from '#domain/roles.ts';
import { moduleCommand as texts, moduleSeen } from '#locales/operator/module-command.ts';
import { fill } from '#locales/fill.ts';
import { CONFIG_FILE, readConfigFile } from '#server/config/config-file.ts';
import type { ModuleConfig } from '#server/config/modules-file.ts';
import { moduleSchema, readModules } from '#server/config/modules-file.ts';
import type { Document } from '#server/config/document.ts';
import { faultWords, fileFault } from '#server/config/fault-words.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { type Fault, faultsIn, faultText } from '#server/config/setting.ts';
import { hashToken, isSame, randomToken } from '#server/crypto/secret-box.ts';
import {
  type Command,
  type Installation,
  type Output,
  output,
  readWords,
  wrongUsage,
} from './command.ts';
import { call } from '#module-kit/browser.ts';
import { type Checked, checkModule } from '#module-kit/check.ts';
import { startCheckPortal } from '#module-kit/portal.ts';

const string = { type: 'string' } as const;
const OPTIONS = {
  id: string,
  login: string,
  'sign-out': string,
  'sign-out-url': string,
  portal: string,
  run: string,
  'secret-file': string,
} as const;
type Values = Partial<Record<keyof typeof OPTIONS, string>>;

/** The options of each verb. */
const VERBS: Readonly<Record<string, readonly (keyof Values)[]>> = {
  list: [],
  add: ['login', 'sign-out-url'],
  check: ['id', 'login', 'sign-out', 'sign-out-url', 'portal', 'run', 'secret-file'],
};
const DEMO_PORTAL = 'http://localhost:3000';
const START_MS = 60_000;
const POLL_MS = 200;

const isModuleId = (word: string): word is ModuleId =>
  (MODULE_IDS as readonly string[]).includes(word);

export const module: Command = (words) => {
  const { values, positionals } = readWords(words, OPTIONS, 'module');
  const [verb = '', ...rest] = positionals;
  const options = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  const isMeant = Object.keys(values).every((name) => options?.includes(name as keyof Values));
  const [word = '', address = ''] = rest;
  const count = { list: 0, add: 2, check: 1 }[verb];
  if (!options || !isMeant || rest.length !== count) throw wrongUsage('module');
  if (verb === 'list') return async (at) => list(fileOf(at));
  if (verb === 'add') {
    if (!isModuleId(word)) throw wrongUsage('module');
    return async (at) => add(at, { id: word, rootUrl: address }, values);
  }
  const isAddress = /^https?:/.test(word) && URL.canParse(word);
  if (!isAddress && !isModuleId(word)) throw wrongUsage('module');
  if (values.id !== undefined && !(isAddress && isModuleId(values.id))) throw wrongUsage('module');
  return async (at) => check(at, word, values);
};

const MODULES = 'PORCHLIGHT_MODULES_FILE';

type File = {
  readonly document: Document;
  /** `null`: they stand in the configuration file itself. */
  readonly path: string | null;
  readonly isDemo: boolean;
};

function fileOf({ env }: Installation): File | null {
  const stated = env();
  const file = readConfigFile(stated[CONFIG_FILE]);
  const given: NodeJS.ProcessEnv = { ...file?.given, ...stated };
  const isDemo = given.PORCHLIGHT_MODE !== 'production';
  if (!stated[MODULES] && file?.inline.has(MODULES)) {
    return { document: { value: file.inline.get(MODULES) }, path: null, isDemo };
  }
  const path = given[MODULES];
  return path ? { document: path, path, isDemo } : null;
}

/** @throws OperatorError with every fault of the file */
function read(file: File | null) {
  if (!file) throw new OperatorError(texts.noFile);
  const { faults, ...found } = readModules(file.document, file);
  if (faults.length > 0) {
    throw faulty(fill(texts.fileFaults, { file: file.path ?? CONFIG_FILE }), faults);
  }
  return found;
}

const faulty = (head: string, faults: readonly Fault[]) =>
  new OperatorError([head, ...faults.map((fault) => `  - ${faultText(fault)}`)].join('\n'));

function list(file: File | null): Output {
  const { modules, missing } = read(file);
  const lines = modules.map(({ id, rootUrl, signOutUrl, sealedTo }) =>
    fill(texts.row, {
      id,
      rootUrl,
      signOut: signOutUrl === null ? texts.notTold : texts.told,
      sealed: sealedTo === null ? '' : texts.sealed,
    }),
  );
  const end = missing.length > 0 ? [fill(texts.missing, { ids: missing.join(', ') })] : [];
  const data = modules.map((each) => ({ ...each, secretHash: undefined }));
  return output([...lines, ...end], data);
}

/** Into the file that the settings name, or printed for one. */
function add(
  at: Installation,
  { id, rootUrl }: { readonly id: ModuleId; readonly rootUrl: string },
  { login, 'sign-out-url': signOutUrl = null }: { login?: string; 'sign-out-url'?: string | null },
): Output {
  const file = fileOf(at);
  const secret = randomToken();
  const loginUrl = login ?? (URL.canParse('login', rootUrl) ? new URL('login', rootUrl).href : '');
  const given = {
    id,
    rootUrl,
    loginUrl,
    secretHash: hashToken(secret),
    sealedTo: null,
    signOutUrl,
  };
  const parsed = moduleSchema({ isDemo: file?.isDemo ?? true }).safeParse(given, {
    error: faultWords,
  });
  if (!parsed.success) throw faulty(texts.faults, faultsIn(parsed.error));
  const told = fill(texts.secret, { secret });
  const path = file?.path;
  if (!file || !path) {
    return output([texts.print, JSON.stringify([given], null, 2), told], { entry: given, secret });
  }
  const there: readonly ModuleConfig[] = existsSync(path) ? read(file).modules : [];
  if (there.some((each) => each.id === id)) throw new OperatorError(fill(texts.taken, { id }));
  // As it was written: what reading filled in stays out.
  const old = existsSync(path)
    ? z.array(z.unknown()).parse(JSON.parse(readFileSync(path, 'utf8')))
    : [];
  writeFileSync(path, `${JSON.stringify([...old, given], null, 2)}\n`);
  return output([fill(texts.added, { id, file: path }), told], { entry: given, secret });
}

/** What is checked, and how its calls of Redeem are known to be its own. */
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
    const entry = read(fileOf(at)).modules.find(({ id }) => id === word);
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
    await untilReached(planned.rootUrl, started);
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
    started?.end();
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
  const url = (named ?? (isLocal(own) ? own : DEMO_PORTAL)).replace(/\/+$/, '');
  if (!isLocal(url)) throw new OperatorError(fill(texts.notHere, { portal: url }));
  return url;
}

/** A role that is handed to this module, and fits. */
function roleFor(id: ModuleId, isFit: (role: RoleId) => boolean): RoleId | undefined {
  const roles = Object.keys(ROLES).map((key) => Number(key) as RoleId);
  return roles.find((each) => roleOf(each).entry?.module === id && isFit(each));
}

function someRole(id: ModuleId): RoleId {
  const role = roleFor(id, () => true);
  if (role === undefined) throw new Error(`No role leads to ${id}`);
  return role;
}

/** The module as a process of ours, with what the examples are told by their environment. */
function start(command: string, { id, rootUrl, secret }: Plan, portal: string) {
  const { origin, port } = new URL(rootUrl);
  const child = spawn('sh', ['-c', `exec ${command}`], {
    // Our own output is what programs read.
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
  let hasEnded = false;
  child.once('exit', () => (hasEnded = true));
  return {
    command,
    hasEnded: () => hasEnded,
    end: () => void (hasEnded || child.kill()),
  };
}

/** Whoever starts the module by hand takes a while. @throws OperatorError when the command of --run has ended */
async function untilReached(url: string, started: ReturnType<typeof start> | null): Promise<void> {
  const until = Date.now() + START_MS;
  while ((await call(url, {})).status === null && Date.now() < until) {
    if (started?.hasEnded()) {
      throw new OperatorError(fill(texts.ended, { command: started.command }));
    }
    await wait(POLL_MS);
  }
}
