import type { Entrance } from '#domain/people/role-routing.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { fillIn } from '../lib/fill-in.ts';
import { leave } from '../lib/leave.ts';
import { stopKeyInField } from '../lib/key-in-field.ts';
import { setItem } from '../lib/storage.ts';
import type { Navigation } from './navigation.ts';
import { type View, withCarriedQuery } from './view.ts';

/** The password that was typed before a key failed: kept in memory alone, for the form that comes back. */
let typedPassword = '';

/** Keeps what was typed into the sign-in form, while the page of a failed key is shown. */
export function keepTyped(): void {
  const email = document.querySelector<HTMLInputElement>('#email')?.value;
  if (email) setItem('typedEmail', email);
  typedPassword = document.querySelector<HTMLInputElement>('#password')?.value ?? '';
}

/** Goes on after a right key, as after a right code. A page load: the server knows the visit's new step. */
export function afterKey({ entrance, search }: Pick<View, 'entrance' | 'search'>): void {
  leave(withCarriedQuery(pathOf('redirect', entrance), search));
}

/** Goes back to the form with what was typed there. @returns false when the browser should follow the link itself */
export function backToForm({ go }: Pick<Navigation, 'go'>, entrance: Entrance): boolean {
  stopKeyInField();
  return go(pathOf('signIn', entrance), {
    onShown() {
      const field = document.querySelector<HTMLInputElement>('#password');
      fillIn(field, typedPassword);
      typedPassword = '';
    },
  });
}
