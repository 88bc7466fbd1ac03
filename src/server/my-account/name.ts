import { checkName } from '#domain/sign-up-form.ts';
import { setPerson } from '../administration/set-person.ts';
import type { ServerContext } from '../context.ts';
import { type AccountForms, problemsOf, savedPage, textOf } from './account-page.ts';

/** Creates the form of the name. It needs no step-up: a name opens nothing. */
export function createName(context: ServerContext): AccountForms {
  return {
    async myName({ loggedInUserId: id }, sent) {
      const typed = { firstName: textOf(sent, 'firstName'), lastName: textOf(sent, 'lastName') };
      const checked = checkName(typed);
      if (!checked.isValid) return { problems: problemsOf(checked.problems), typed };
      await setPerson(context, id, checked.values);
      return savedPage;
    },
  };
}
