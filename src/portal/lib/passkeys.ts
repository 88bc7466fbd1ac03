/**
 * The browser's half of passkeys. Loaded only where one is used: no page has it before the first touch, except in a
 * browser that saved a key.
 */

import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  platformAuthenticatorIsAvailable,
  sendSignal,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import type { Body } from '#contract/index.ts';
import type { AccountKeys } from '#contract/my-account.ts';
import { KEY_CHALLENGE_MS, type KeyProblem } from '#domain/proofs/passkeys.ts';
import type { Entrance } from '#domain/people/role-routing.ts';
import type { Api } from './api.ts';
import { allowKeyInField } from './key-in-field.ts';
import { failedOffline } from './online.ts';
import { setItem } from './storage.ts';

/**
 * `null`: it worked. `replaced`: we gave this request up. `failedInField`: a request that waited in the email field ended
 * without an answer of a key; the person did nothing, whatever the browser, an extension or the device says.
 */
export type Outcome = KeyProblem | 'replaced' | 'failedInField' | null;

type Assertion = Body<'signInWithKey'>['answer'];

const unanswered = (): KeyProblem => (failedOffline() ? 'offline' : 'refused');

/** Returns whether this device can save a key: it has a lock of its own. */
export const canSaveKey = async (): Promise<boolean> =>
  browserSupportsWebAuthn() && platformAuthenticatorIsAvailable();

/** Returns whether the browser shows keys in the email field. */
export const canShowKeys = (): Promise<boolean> => browserSupportsWebAuthnAutofill();

/** Signs in by a key. `isInField`: the browser shows the keys in the email field, and the person picks one. */
export async function signInWithKey(
  api: Api,
  { entrance, isInField }: { readonly entrance: Entrance; readonly isInField: boolean },
): Promise<Outcome> {
  const begun = performance.now();
  const used = await askDevice(api, 'signIn', isInField);
  if ('problem' in used) return used.problem;
  const { answer, rpId } = used;
  const result = await api.call('signInWithKey', { body: { answer, entrance } });
  if (result.kind !== 'ok') {
    return result.errorFlag === 'ACCOUNT_SUSPENDED' ? 'suspended' : unanswered();
  }
  const { outcome, forgets } = result.data;
  if (outcome === 'signedIn') {
    setItem('savedKey', true);
    allowKeyInField();
    return null;
  }
  if (forgets) await tellUnknown(rpId, answer.id);
  const isLate = performance.now() - begun > KEY_CHALLENGE_MS;
  return outcome === 'refused' && isLate ? 'tooLate' : outcome;
}

/** Proves by a key that the signed-in person is still there. */
export async function stepUpWithKey(api: Api): Promise<Outcome> {
  const used = await askDevice(api, 'stepUp', false);
  if ('problem' in used) return used.problem;
  const result = await api.call('stepUpWithKey', { body: { answer: used.answer } });
  return result.kind === 'ok' && result.data.isFresh ? null : unanswered();
}

async function askDevice(
  api: Api,
  use: Body<'keyRequest'>['use'],
  isInField: boolean,
): Promise<{ readonly answer: Assertion; readonly rpId: string } | { readonly problem: Outcome }> {
  const options = await api.call('keyRequest', { body: { use } });
  // A page that only waits tells nothing about a key that nobody asked for.
  if (options.kind !== 'ok') return { problem: isInField ? 'replaced' : unanswered() };
  const { data } = options;
  try {
    const { clientExtensionResults: _, ...answer } = await startAuthentication({
      optionsJSON: data as never,
      useBrowserAutofill: isInField,
    });
    return { answer: answer as Assertion, rpId: String(data.rpId) };
  } catch (error) {
    const problem = keyProblem(error);
    return { problem: isInField && problem !== 'replaced' ? 'failedInField' : problem };
  }
}

/** Saves a key on this device. `isByItself`: the browser asks nothing. */
export async function saveKey(api: Api, isByItself = false): Promise<Outcome> {
  const options = await api.call('keyCreation', { body: { isByItself } });
  if (options.kind !== 'ok') return unanswered();
  const { data } = options;
  try {
    const { clientExtensionResults: _, ...answer } = await startRegistration({
      optionsJSON: data as never,
      useAutoRegister: isByItself,
    });
    const result = await api.call('saveKey', { body: { answer: answer as never } });
    if (result.kind !== 'ok') {
      const { id } = data.rp as { readonly id: string };
      // The device has a key that nothing opens.
      if (result.kind === 'refused') await tellUnknown(id, answer.id);
      return unanswered();
    }
    setItem('savedKey', true);
    allowKeyInField();
    return null;
  } catch (error) {
    return keyProblem(error);
  }
}

/** Returns whether the browser can make a key without a question. */
export async function canSaveByItself(): Promise<boolean> {
  const ask = globalThis.PublicKeyCredential?.getClientCapabilities;
  const capabilities = await ask?.call(PublicKeyCredential).catch(() => null);
  return capabilities?.conditionalCreate === true;
}

/** Returns what the error of a device means to the person. */
function keyProblem(error: unknown): KeyProblem | 'replaced' {
  const { name, code } = (error ?? {}) as { readonly name?: string; readonly code?: unknown };
  if (name === 'AbortError' || code === 'ERROR_CEREMONY_ABORTED') return 'replaced';
  if (name === 'InvalidStateError') return 'savedBefore';
  return name === 'NotAllowedError' ? 'cancelled' : 'deviceCannot';
}

/** Ends a request that waits in the email field. */
export const stopWaiting = (): void => WebAuthnAbortService.cancelCeremony();

// Signals need no answer, and some browsers do not know them.
const ignore = () => undefined;

/** Lets the device forget a key that the server does not know for certain. */
const tellUnknown = (rpID: string, credentialID: string): Promise<void> =>
  sendSignal({ signalName: 'unknownCredential', rpID, credentialID }).catch(ignore);

/** Tells the device which keys of an account still open it, after one was removed. */
export async function tellAccepted({ rpId, handle, list, isComplete }: AccountKeys): Promise<void> {
  // After a restore the server may not know every good key.
  if (handle === null || !isComplete) return;
  await sendSignal({
    signalName: 'allAcceptedCredentials',
    rpID: rpId,
    userID: handle,
    allAcceptedCredentialIDs: list.map(({ id }) => id),
  }).catch(ignore);
}
