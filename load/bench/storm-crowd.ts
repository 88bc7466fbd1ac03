// Whole sign-ins, as many as the server takes, in a thread of their own: they must not slow down who measures beside them.
import { parentPort, workerData } from 'node:worker_threads';
import { prepareSignIn } from './sign-in-client.ts';

const { url, browsers, accounts } = workerData as {
  url: string;
  browsers: number;
  accounts: readonly string[];
};
const counts = { done: 0, refused: 0 };
let isOver = false;
parentPort?.once('message', () => (isOver = true));

await Promise.all(
  Array.from({ length: browsers }, async (_, own) => {
    for (let n = own; !isOver; n += 1) {
      try {
        const signIn = await prepareSignIn(url, accounts[n % accounts.length] ?? '');
        await signIn.password();
        await signIn.sendCode();
        counts.done += 1;
      } catch {
        // 503 of the queue, or a limit of an account.
        counts.refused += 1;
      }
    }
  }),
);
parentPort?.postMessage(counts);
