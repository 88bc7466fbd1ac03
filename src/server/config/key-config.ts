import { isRpIdFor, rpIdOf } from '#domain/proofs/rp-id.ts';
import type { Called } from './production-faults.ts';

export type KeyConfig = {
  /** The domain that devices keep keys for. */
  readonly rpId: string;
  /** The browser may make a key by itself after a sign-in by password and code, where it can. */
  readonly isAutomatic: boolean;
  /** The operator wants to start with another domain than the one that stored passkeys belong to. */
  readonly acceptsChange: boolean;
};

type Values = {
  readonly PORCHLIGHT_KEYS: 'on' | 'off';
  readonly PORCHLIGHT_KEYS_AUTOMATIC: 'on' | 'off';
  readonly PORCHLIGHT_RP_ID?: string | undefined;
  readonly PORCHLIGHT_RP_ID_CHANGE: 'refuse' | 'accept';
  readonly PORCHLIGHT_HOSTED_LOGIN_DOMAIN?: string | undefined;
};

/** Returns the settings of passkeys. A tenant signs people in itself, so that keys here would open nothing there. */
export function keyConfig(values: Values, publicUrl: string): KeyConfig | null {
  if (values.PORCHLIGHT_KEYS === 'off' || values.PORCHLIGHT_HOSTED_LOGIN_DOMAIN) return null;
  const rpId = rpIdOf(publicUrl, values.PORCHLIGHT_RP_ID);
  if (rpId === null) return null;
  return {
    rpId,
    isAutomatic: values.PORCHLIGHT_KEYS_AUTOMATIC === 'on',
    acceptsChange: values.PORCHLIGHT_RP_ID_CHANGE === 'accept',
  };
}

/** Browsers refuse every key of a domain that is neither the page's host nor a parent of it. */
export function keyFaults(given: NodeJS.ProcessEnv, called: Called): readonly string[] {
  const { PORCHLIGHT_RP_ID: rpId, PORCHLIGHT_PUBLIC_URL: url, PORT: port = '3000' } = given;
  const publicUrl = url ?? `http://localhost:${port}`;
  if (rpId === undefined || !URL.canParse(publicUrl) || isRpIdFor(publicUrl, rpId)) return [];
  const host = new URL(publicUrl).hostname;
  return [`${called('PORCHLIGHT_RP_ID')} must be ${host} or a parent domain of it`];
}
