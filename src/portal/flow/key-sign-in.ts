/** The sign-in by a passkey that the browser shows in the email field. Loaded with the part for keys. */

import { KEY_CHALLENGE_MS } from '#domain/proofs/passkeys.ts';
import { pathOf } from '#domain/flow/screens.ts';
import type { Api } from '../lib/api.ts';
import { isKeyInFieldOff, stopKeyInField } from '../lib/key-in-field.ts';
import { canShowKeys, signInWithKey, stopWaiting } from '../lib/passkeys.ts';
import type { Store } from '../lib/store.ts';
import type { Navigation } from './navigation.ts';
import { afterKey, keepTyped } from './key-ways.ts';
import type { View } from './view.ts';

type Context = {
  readonly api: Api;
  readonly navigation: Pick<Navigation, 'current' | 'go'>;
  readonly view: Pick<Store<View>, 'get' | 'subscribe'>;
};

/** Lets the browser show keys in the email field, on each sign-in page of this tab. */
export async function watchForKeys({ api, navigation, view }: Context): Promise<void> {
  if (!(await canShowKeys())) return;
  let shown = -1;
  let startedAt = 0;

  async function wait({ id, entrance }: View): Promise<void> {
    startedAt = performance.now();
    const outcome = await signInWithKey(api, { entrance, isInField: true });
    if (outcome === 'failedInField') {
      stopKeyInField();
      await api.call('keyOffer', { body: { outcome } });
    }
    if (outcome === 'failedInField' || outcome === 'replaced' || id !== view.get().id) return;
    if (outcome === null) return afterKey(view.get());
    keepTyped();
    navigation.go(`${pathOf('keyFailed', entrance)}?why=${outcome}`);
    return undefined;
  }
  // An error of the device's own shows nothing: the form is there.
  const start = () => {
    if (!isKeyInFieldOff()) wait(view.get()).catch(() => undefined);
  };
  const look = () => {
    const { id, screen } = view.get();
    if (id === shown) return;
    shown = id;
    if (screen === 'signIn' || screen === 'clientSignIn') start();
    else stopWaiting();
  };
  view.subscribe(look);
  look();
  addEventListener('focusin', () => {
    // A page that stood for long gets a new challenge before the person picks a key.
    const isOld = performance.now() - startedAt > KEY_CHALLENGE_MS * 0.8;
    if (isOld && /signIn/i.test(view.get().screen)) start();
  });
}
