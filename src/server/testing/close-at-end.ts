import { afterAll } from 'vitest';

/** Closes what a test file opened after its last test. @returns what it is given */
export function closeAtEnd<T extends { readonly close: () => unknown }>(opened: T): T {
  afterAll(() => opened.close());
  return opened;
}
