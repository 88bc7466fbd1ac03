import { doctorCommand as texts } from '#locales/operator/doctor-command.ts';
import type { ModuleConfig } from '../config/modules-file.ts';
import { bad, type Finding, good } from '../core/finding.ts';

const TIMEOUT_MS = 15_000;

const NOT_FOUND = 404;

/** Answers of a server that knows no such address or method. */
const NOT_THERE = new Set([NOT_FOUND, 405]);

/** Returns the status of an answer; `null`: there was none in time. */
export async function answerStatus(url: string, init: RequestInit): Promise<number | null> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { ...init, redirect: 'manual', signal });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}

const NOT_IMPLEMENTED = 501;

/** Returns whether a server answered; a method or address that it does not know is an answer. */
export const isServing = (status: number | null): boolean =>
  status !== null && (status < 500 || status === NOT_IMPLEMENTED);

/** Returns, of each module, what `lookAtModule` does. */
export async function lookAtModules({
  modules,
}: {
  readonly modules: readonly ModuleConfig[];
}): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const module of modules) findings.push(...(await lookAtModule(module)));
  return findings;
}

/** Returns whether a module answers, and whether it listens for sign-out calls. */
export async function lookAtModule(module: ModuleConfig): Promise<readonly Finding[]> {
  const { id, rootUrl } = module;
  const status = await answerStatus(rootUrl, {});
  return [statusFinding(id, status), ...(await lookAtSignOut(module))];
}

function statusFinding(id: string, status: number | null): Finding {
  if (status === NOT_FOUND) return bad('warning', 'modules', 'modulePageless', { id });
  const reason = String(status ?? texts.noAnswer);
  return isServing(status)
    ? good('modules', texts.moduleAnswers, { id })
    : bad('fault', 'modules', 'moduleAway', { id, reason });
}

/** A call without a token ends nothing, and a module that listens refuses it. */
async function lookAtSignOut({ id, signOutUrl }: ModuleConfig): Promise<readonly Finding[]> {
  if (signOutUrl === null) return [];
  const status = await answerStatus(signOutUrl, { method: 'POST', body: new URLSearchParams() });
  const isRefused = status !== null && status >= 400 && status < 500 && !NOT_THERE.has(status);
  if (isRefused) return [good('modules', texts.moduleListens, { id })];
  if (status === 200 || status === 204) return [bad('fault', 'modules', 'moduleBelieves', { id })];
  const reason = String(status ?? texts.noAnswer);
  return [bad('warning', 'modules', 'moduleDeaf', { id, reason })];
}
