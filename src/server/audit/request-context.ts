import { AsyncLocalStorage } from 'node:async_hooks';

/** The known data of the running request; `recordInRequest` adds to it. */
export type RequestContext = {
  readonly requestId: string;
  readonly ip: string;
  /** Its route, or the beginning of its path: no id and no key. */
  readonly path: string;
  visitId: string | null;
  subtenantId: number | null;
  /** The account that the request concerns, if known. */
  userId: number | null;
  /** The code of its refusal. */
  refusal: string | null;
  /** The name of an unexpected error. */
  fault: string | null;
  /** An application's mistake, shown on a page with a reference. `clientId` is null for an unknown client. */
  mistake: { readonly clientId: string | null; readonly reason: string } | null;
  /** The last full limit, whether or not it refused the request. */
  limit: string | null;
};

type Learned = Partial<
  Pick<RequestContext, 'visitId' | 'subtenantId' | 'userId' | 'mistake' | 'limit'>
>;

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs work, and all that it starts, as part of a request. */
export const withinRequest = <T>(context: RequestContext, work: () => T): T =>
  storage.run(context, work);

/** Returns the running request; `undefined` in jobs and commands. */
export const currentRequest = (): RequestContext | undefined => storage.getStore();

/** Adds to the data of the running request, if there is one. */
export function recordInRequest(learned: Learned): void {
  const request = storage.getStore();
  if (request) Object.assign(request, learned);
}
