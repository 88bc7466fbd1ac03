import { expect, test, vi } from 'vitest';
import type { Db } from '../db/database.ts';
import type { Otps } from '../proofs/otp/otp-ports.ts';
import { createPhoneProof } from './phone-proof.ts';

test('[CON-12] [ACC-05] where no texts are sent no phone is offered as a proof, and none is taken', async () => {
  const otps = { send: vi.fn<Otps['send']>(), verify: vi.fn<Otps['verify']>() };
  const proof = createPhoneProof({} as Db, { otps, hasTexts: false });
  const recipient = { phone: '+15550100142' } as never;
  expect(await proof.shown(recipient, null)).toEqual({ phone: null, isCodeSent: false });
  const sent = new FormData();
  sent.set('do', 'send');
  await expect(proof.run(recipient, sent, {} as never)).rejects.toThrow('BAD_REQUEST');
  expect(otps.send).not.toHaveBeenCalled();
});
