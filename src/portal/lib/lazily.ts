/** Fetches once, when first asked; after a failure the next asker tries again, and may find the network back. */
export function lazily<T>(fetch: () => Promise<T>): () => Promise<T> {
  let coming: Promise<T> | undefined;
  return () =>
    (coming ??= fetch().catch((error: unknown) => {
      coming = undefined;
      throw error;
    }));
}
