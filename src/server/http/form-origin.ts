import { AppError } from './app-error.ts';
import { refuseOtherSites } from './csrf.ts';
import type { Http, Visit, VisitCookie } from './visit-cookie.ts';

/** Returns the fields of a form. @throws AppError BAD_REQUEST when it is no form */
export function formIn(body: unknown): FormData {
  if (typeof body !== 'string') throw new AppError('BAD_REQUEST');
  const form = new FormData();
  for (const [name, value] of new URLSearchParams(body)) form.append(name, value);
  return form;
}

/**
 * Checks the token of a form's page. A page that was shown before there was a visit has none; then the browser has to say
 * that the form is ours. A browser that says nothing gets a visit: the page that it opens next has a token.
 * @throws AppError FORBIDDEN
 */
export async function refuseForgedForm(
  of: { readonly visits: Pick<VisitCookie, 'isOwnForm' | 'ensure'>; readonly origin: string },
  { request, reply }: Http,
  visit: Visit | null,
  sent: FormData,
): Promise<void> {
  refuseOtherSites(request);
  const { origin: page, 'sec-fetch-site': site } = request.headers;
  const isOwn =
    visit && sent.get('xsrf')
      ? of.visits.isOwnForm(visit, request.cookies, sent)
      : site === 'same-origin' || (site === undefined && page === of.origin);
  if (isOwn) return;
  if (!visit && page === undefined && site === undefined) await of.visits.ensure(request, reply);
  throw new AppError('FORBIDDEN');
}
