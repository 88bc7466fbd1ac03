import { AsyncLocalStorage } from 'node:async_hooks';

/** What is known of the request under way; whoever learns more writes it down with `noteInRequest`. */
export type RequestContext = {
  readonly requestId: string;
  readonly ip: string;
  /** Its route, or the beginning of its path: no id and no key. */
  readonly path: string;
  visitId: string | null;
  subtenantId: number | null;
  /** The account that the request is about, as far as it was found out. */
  userId: number | null;
  /** The code of its refusal. */
  refusal: string | null;
  /** The name of an error that nothing foresaw. */
  fault: string | null;
  /** What an application got wrong, told on a page with a reference. `clientId` is null for one that there is not. */
  mistake: { readonly clientId: string | null; readonly reason: string } | null;
  /** The last limit that was full, whether or not the request was refused for it. */
  limit: string | null;
};

type Learned = Partial<
  Pick<RequestContext, 'visitId' | 'subtenantId' | 'userId' | 'mistake' | 'limit'>
>;

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs work, and all that it starts, as part of a request. */
export const withinRequest = <T>(context: RequestContext, work: () => T): T =>
  storage.run(context, work);

/** The request under way; `undefined` in jobs and commands. */
export const currentRequest = (): RequestContext | undefined => storage.getStore();

/** Adds to what is known of the request under way, if there is one. */
export function noteInRequest(learned: Learned): void {
  const request = storage.getStore();
  if (request) Object.assign(request, learned);
}
