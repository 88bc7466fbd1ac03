import { compactDecrypt, exportJWK, generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import { seal } from './seal.ts';

const content = { pwd: 'Pörchlight-1', txn: 'state-1', aud: 'special', iat: 1_700_000_000 };

async function newModuleKey() {
  const { publicKey, privateKey } = await generateKeyPair('RSA-OAEP-256', { extractable: true });
  return { jwk: { ...(await exportJWK(publicKey)), kid: 'key-1' }, privateKey };
}

describe('the seal', () => {
  it('[RED-12] can be opened by the module, with any library for JWE', async () => {
    const { jwk, privateKey } = await newModuleKey();
    const { plaintext, protectedHeader } = await compactDecrypt(
      await seal(content, jwk),
      privateKey,
    );
    expect(JSON.parse(new TextDecoder().decode(plaintext))).toEqual(content);
    expect(protectedHeader).toEqual({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: 'key-1' });
  });

  it('cannot be opened by another module', async () => {
    const [{ jwk }, other] = [await newModuleKey(), await newModuleKey()];
    await expect(compactDecrypt(await seal(content, jwk), other.privateKey)).rejects.toThrow(
      'decryption operation failed',
    );
  });

  it('notices a changed byte, also in the header', async () => {
    const { jwk, privateKey } = await newModuleKey();
    const parts = (await seal(content, jwk)).split('.');
    for (const index of [0, 3, 4]) {
      const spoilt = parts.with(
        index,
        `${parts[index] ?? ''}`.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')),
      );
      await expect(compactDecrypt(spoilt.join('.'), privateKey), `part ${index}`).rejects.toThrow(
        /decryption|Invalid|invalid/,
      );
    }
  });

  it('is another one each time', async () => {
    const { jwk } = await newModuleKey();
    expect(await seal(content, jwk)).not.toBe(await seal(content, jwk));
  });
});
