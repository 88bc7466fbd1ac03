/** Fetches once, at the first call. After a failure the next call tries again. */
export function lazily<T>(fetch: () => Promise<T>): () => Promise<T> {
  let coming: Promise<T> | undefined;
  return () =>
    (coming ??= fetch().catch((error: unknown) => {
      coming = undefined;
      throw error;
    }));
}
