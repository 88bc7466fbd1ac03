import type { Visitor } from './visitor.ts';

const ACCOUNTS = ['member', 'top', 'admin', 'counter', 'agent', 'partner'];

/** How many people are busy. */
export const PEOPLE = ACCOUNTS.length;

/** Keeps people of the demo busy until `work` is done; whatever goes wrong for one of them. */
export async function underLoad(
  visit: () => Visitor,
  work: () => Promise<void>,
  one: (visitor: Visitor, turn: number) => Promise<unknown>,
): Promise<{ readonly failed: readonly string[]; readonly done: number }> {
  const visitors = await Promise.all(
    ACCOUNTS.map(async (name) => {
      const visitor = visit();
      await visitor.signIn(name);
      return visitor;
    }),
  );
  const failed: string[] = [];
  let isOver = false;
  let done = 0;
  const people = visitors.map(async (visitor) => {
    // A handful of faults tells enough.
    for (let turn = 0; !isOver && failed.length < 20; turn += 1) {
      try {
        await one(visitor, turn);
        done += 1;
      } catch (error) {
        failed.push(String(error));
      }
    }
  });
  try {
    await work();
  } finally {
    isOver = true;
    await Promise.all(people);
  }
  return { failed, done };
}
