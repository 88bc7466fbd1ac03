/** A script file did not load, or failed while loading. The server answers in its place (decision 144). */
export class ScriptMissing extends Error {}

/**
 * Fetches a script file once, at the first call. After a failure the next call tries again.
 * @throws ScriptMissing
 */
export function lazily<T>(fetch: () => Promise<T>): () => Promise<T> {
  let coming: Promise<T> | undefined;
  return () =>
    (coming ??= fetch().catch((error: unknown) => {
      coming = undefined;
      throw new ScriptMissing('A script file did not load', { cause: error });
    }));
}
