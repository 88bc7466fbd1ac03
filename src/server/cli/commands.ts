import { server as texts } from '#locales/en/server.ts';
import { OperatorError } from '../config/operator-error.ts';
import { checkTenant } from './check-tenant.ts';
import { client } from './client.ts';
import type { Command } from './command.ts';
import { keys } from './keys.ts';
import { outbox } from './outbox.ts';
import { promo } from './promo.ts';
import { survey } from './survey.ts';

const COMMANDS: Readonly<Record<string, Command>> = {
  'check-tenant': checkTenant,
  client,
  keys,
  outbox,
  promo,
  survey,
};

/** What the words of a command line ask for. @throws OperatorError that says how it is meant */
export function readCommand([name = '', ...words]: readonly string[]): ReturnType<Command> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new OperatorError(texts.cliUsage);
  return command(words);
}
