import { DEFAULT_SUBTENANT_ID } from '#domain/people/subtenants.ts';
import { refusals } from '#texts/refusals.ts';
import type { Binder } from '../http/bind.ts';
import type { Subtenants } from './subtenants.ts';

export function bindSubtenants(bind: Binder, subtenants: Subtenants): void {
  bind('getSubtenant', async ({ body, visit }) => {
    const found = await subtenants.find(body.subtenantId);
    if (!found) {
      return {
        succeeded: false,
        data: [],
        messages: [refusals.subtenantInvalid],
        errorFlag: 'INVALID_SUBTENANT',
      };
    }
    // A page without a subtenant asks for the default one: that must not undo the subtenant of a link or query (SRV-26).
    const isFallback = found.id === DEFAULT_SUBTENANT_ID && visit.subtenantId !== null;
    if (!isFallback) await subtenants.remember(visit.id, found.id);
    const { id, name, logoUrl, accent } = found;
    return [{ subtenantId: id, subtenantLogoUrl: logoUrl, subtenantName: name, accent }];
  });
}
