import type { CDPSession, Page } from '@playwright/test';

/** A device with a lock of its own, in Chromium: it keeps keys, and answers by itself. */
export type KeyDevice = {
  /** The ids of its keys. */
  readonly keys: () => Promise<readonly string[]>;
  /** The lock opens, or the person fails at it. */
  readonly setUnlocks: (isUserVerified: boolean) => Promise<unknown>;
  /** Whether the person answers at once; else a question of the browser stays open. */
  readonly setAnswers: (enabled: boolean) => Promise<unknown>;
  /** Deletes a key on the device alone. */
  readonly lose: (credentialId: string) => Promise<unknown>;
};

/** Gives the browser of a page a device with a lock. */
export async function addKeyDevice(page: Page): Promise<KeyDevice> {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async keys() {
      const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
      return credentials.map(({ credentialId }) => credentialId);
    },
    setUnlocks: (isUserVerified) =>
      cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    setAnswers: (enabled) =>
      cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    lose: (credentialId) =>
      cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId }),
  };
}
