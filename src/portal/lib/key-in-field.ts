import { getItem, removeItems, setItem } from './storage.ts';

let isOff = false;

/** Asks for no key in the email field of this tab any more: it failed there, or the person chose the password. */
export function stopKeyInField(): void {
  isOff = true;
  setItem('noKeyInField', true);
}

/** Asks again: this device has just saved or used a key. */
export function allowKeyInField(): void {
  isOff = false;
  removeItems('noKeyInField');
}

/** Returns whether this tab asks for no key in the email field any more. */
export const isKeyInFieldOff = (): boolean => isOff || getItem('noKeyInField') === true;
