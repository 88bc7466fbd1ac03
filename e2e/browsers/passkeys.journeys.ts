import { type ServerProcess, startServer } from '../../tools/server-process.ts';
import { signIn } from './steps.ts';
import { test as base } from './test.ts';
import { button, heading, link, main } from './visitor.ts';

// Devices without a lock, where keys are on. Keys belong to a host name: none at the IP address of the shared server.

const named = (url: string) => url.replace('127.0.0.1', 'localhost');

const test = base.extend<object, { localhost: ServerProcess }>({
  localhost: [
    // oxlint-disable-next-line no-empty-pattern -- the runner reads from it what a fixture needs
    async ({}, provide) => {
      const envFor = (url: string) => ({ PORCHLIGHT_PUBLIC_URL: named(url) });
      const server = await startServer({ envFor });
      await provide(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: ({ localhost }, provide) => provide(named(localhost.url)),
});

test('[KEY-11] [KEY-17] without a lock nothing is offered, and password and code work as before', async ({
  visitor,
  account,
  code,
}) => {
  await signIn(visitor, await account(), code);
  await visitor.sees(heading('Member Intake'));
  await visitor.open('/account/me/keys');
  await visitor.sees(heading('Your saved keys'));
  await visitor.sees(main, 'This device cannot save a key.');
});

test('[KEY-12] the page of a failed key leads back to the form', async ({ visitor }) => {
  await visitor.open('/account/KeyFailed?why=tooLate');
  await visitor.sees(main, 'The device was not unlocked in time.');
  await visitor.sees(button('Try again'));
  await visitor.click(link('Use my password'));
  await visitor.sees(heading('Login'));
});
