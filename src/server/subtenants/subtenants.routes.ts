import { problems } from '#messages/en/problems.ts';
import type { Binder } from '../http/bind.ts';
import type { Subtenants } from './subtenants.ts';

export function bindSubtenants(bind: Binder, subtenants: Subtenants): void {
  bind('getSubtenant', async ({ body, visit }) => {
    const found = await subtenants.find(body.subtenantId);
    if (!found) {
      return {
        succeeded: false,
        data: [],
        messages: [problems.subtenantInvalid],
        errorFlag: 'INVALID_SUBTENANT',
      };
    }
    await subtenants.remember(visit.id, found.id);
    const { id, name, logoUrl, accent } = found;
    return [{ subtenantId: id, subtenantLogoUrl: logoUrl, subtenantName: name, accent }];
  });
}
