/** `porchlight`: the operator's commands, beside a running server or, with the embedded database, while it is stopped. */

import { createInterface } from 'node:readline/promises';
import { OperatorError } from '#server/config/operator-error.ts';
import { isDatabaseAway } from '#server/db/availability.ts';
import { databaseDown } from '#server/db/postgres.ts';
import { AppError } from '#server/http/app-error.ts';
import type { Output } from './command.ts';
import type { Asked } from './program.ts';
import { openInstallation } from './installation.ts';
import { createProgress } from './progress.ts';
import { keepHeapSmall } from '#server/core/small-heap.ts';
import { readCommand } from './verbs.ts';

/** As `help` tells them. */
const EXIT = { refused: 1, wrongUsage: 2 } as const;

const given = process.argv.slice(2);
// A refusal is JSON, too, so this is known before the words are read.
const isJson = given.includes('--json');

async function main(): Promise<void> {
  let asked: Asked;
  try {
    asked = readCommand(given);
  } catch (error) {
    refuse(error, EXIT.wrongUsage);
    return;
  }
  const installation = openInstallation(asked.settingsFile);
  try {
    const progress = createProgress(process.stderr, isJson);
    const say = (line: string) => void process.stderr.write(`${line}\n`);
    const canAnswer = process.stdin.isTTY && process.stderr.isTTY && !isJson;
    print(await asked.run({ ...installation, progress, say, ...(canAnswer && { ask }) }));
  } catch (error) {
    const url = isDatabaseAway(error) ? installation.config().databaseUrl : null;
    refuse(url === null ? error : databaseDown(url, error), EXIT.refused);
  }
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Without an end of its own a closed terminal would leave the question open.
  terminal.once('SIGINT', () => process.exit(EXIT.refused));
  try {
    return (await terminal.question(`${question}\n> `)).trim();
  } finally {
    terminal.close();
  }
}

function print({ text, data, hasFailed }: Output): void {
  const rows = Array.isArray(data) ? data : [data];
  process.stdout.write(isJson ? rows.map((row) => `${JSON.stringify(row)}\n`).join('') : text);
  if (hasFailed) process.exitCode = EXIT.refused;
}

function refuse(error: unknown, code: number): void {
  const said = saidOf(error);
  // A server that could not start may have left something open.
  const line = isJson ? JSON.stringify({ error: said, code }) : said;
  process.stderr.write(`${line}\n`, () => process.exit(code));
}

// An import of a hundred thousand people takes no more than one of ten thousand.
keepHeapSmall();
await main();

function saidOf(error: unknown): string | undefined {
  if (error instanceof OperatorError) return error.message;
  // A refusal that an operation shares with the portal has its own sentence.
  return error instanceof AppError ? error.messages.join(' ') : (error as Error).stack;
}
