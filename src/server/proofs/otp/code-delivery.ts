import type { Delivery } from '#domain/proofs/delivery.ts';
import type { PendingOtp } from '#domain/flow/visit.ts';
import { AppError } from '../../http/app-error.ts';
import type { Visit } from '../../http/visit-cookie.ts';
import type { Otps } from './otp-ports.ts';
import type { Recipients } from './recipients.ts';

/** Returns what became of a visit's newest code, and the call that can say one of a sign-in; `null`: none was sent. */
export type DeliveryOf = (visit: Visit, code: PendingOtp | null) => Promise<Delivery | null>;

type Deps = {
  readonly sent: (visit: Visit) => Promise<Delivery | null>;
  readonly recipients: Recipients;
  readonly otps: Pick<Otps, 'callOffer'>;
};

/** The code was used a moment ago. */
function ofNobody(error: unknown): null {
  if (error instanceof AppError) return null;
  throw error;
}

/** Creates the reader of what became of a code. */
export function createDeliveryOf({ sent, recipients, otps }: Deps): DeliveryOf {
  return async (visit, code) => {
    const found = await sent(visit);
    if (!found || code?.mode !== 'signIn') return found;
    const recipient = await recipients.find(code.otpType, code.userId, visit).catch(ofNobody);
    return { ...found, call: recipient && (await otps.callOffer(recipient, visit)) };
  };
}
