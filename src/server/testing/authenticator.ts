/** A device that keeps keys (an authenticator of WebAuthn), in software: what it signs, and how it can lie. */

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { Body } from '#contract/index.ts';

type Assertion = Body<'signInWithKey'>['answer'];
type Creation = Body<'saveKey'>['answer'];

/** What a test may ask the device to say otherwise than it should. */
export type Lie = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly userHandle?: string | null;
  readonly counter?: number;
  readonly isVerified?: boolean;
  readonly isPresent?: boolean;
  readonly challenge?: string;
  readonly crossOrigin?: boolean;
  /** The id of another key. */
  readonly id?: string;
};

export type DeviceKey = {
  readonly id: string;
  readonly userHandle: string;
  readonly privateKey: KeyObject;
  counter: number;
};

const FLAG = { present: 1, verified: 4, eligible: 8, backedUp: 16, hasKey: 64 };
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64 = (data: Buffer) => data.toString('base64url');

function clientData(type: string, challenge: string, lie: Lie, origin: string): Buffer {
  const { crossOrigin = false } = lie;
  const said = { type, challenge: lie.challenge ?? challenge, origin: lie.origin ?? origin };
  return Buffer.from(JSON.stringify({ ...said, crossOrigin }));
}

function authData(rpId: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
}

function flagsOf({ isPresent = true, isVerified = true }: Lie, isSynced: boolean): number {
  const flags = (isPresent ? FLAG.present : 0) | (isVerified ? FLAG.verified : 0);
  return flags | (isSynced ? FLAG.eligible | FLAG.backedUp : 0);
}

/** COSE_Key of a point of P-256, for ES256. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
}

/** Creates a device. `isSynced`: its keys are copied to others and have no counter, as those of Apple and Google. */
export function createDevice(origin: string, { isSynced = false } = {}) {
  const keys: DeviceKey[] = [];

  function create(options: Record<string, unknown>, lie: Lie = {}): Creation {
    const { challenge, rp, user } = options as {
      challenge: string;
      rp: { id: string };
      user: { id: string };
    };
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const id = lie.id === undefined ? randomBytes(32) : Buffer.from(lie.id, 'base64url');
    keys.push({ id: base64(id), userHandle: user.id, privateKey, counter: 0 });
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const data = Buffer.concat([
      authData(lie.rpId ?? rp.id, flagsOf(lie, isSynced) | FLAG.hasKey, lie.counter ?? 0),
      Buffer.alloc(16),
      length,
      id,
      coseKey(publicKey),
    ]);
    const size = Buffer.alloc(2);
    size.writeUInt16BE(data.length);
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
      size,
      data,
    ]);
    return {
      id: base64(id),
      rawId: base64(id),
      type: 'public-key',
      authenticatorAttachment: 'platform',
      response: {
        attestationObject: base64(attestation),
        clientDataJSON: base64(clientData('webauthn.create', challenge, lie, origin)),
        transports: ['internal'],
      },
    };
  }

  function use(options: Record<string, unknown>, key = keys.at(-1), lie: Lie = {}): Assertion {
    if (!key) throw new Error('The device has no key');
    const { challenge, rpId } = options as { challenge: string; rpId: string };
    if (!isSynced) key.counter += 1;
    const data = authData(lie.rpId ?? rpId, flagsOf(lie, isSynced), lie.counter ?? key.counter);
    const client = clientData('webauthn.get', challenge, lie, origin);
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), key.privateKey);
    const userHandle = lie.userHandle === undefined ? key.userHandle : lie.userHandle;
    return {
      id: key.id,
      rawId: key.id,
      type: 'public-key',
      response: {
        authenticatorData: base64(data),
        clientDataJSON: base64(client),
        signature: base64(signature),
        userHandle,
      },
    };
  }

  return { keys, create, use };
}
