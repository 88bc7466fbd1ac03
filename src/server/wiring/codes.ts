import { createAppCodes } from '../proofs/authenticator/authenticator.ts';
import { changesByCode } from '../contacts/change-by-code.ts';
import { createCallScript } from '../notifications/calls.ts';
import { createDeliveryOf } from '../proofs/otp/code-delivery.ts';
import { createOtps } from '../proofs/otp/otp.ts';
import { createRecipients } from '../proofs/otp/recipients.ts';
import { acceptShown } from '../proofs/passkeys/key-store.ts';
import { signInsByCode } from '../sign-in/right-codes.ts';
import type { SignUp } from './sign-up.ts';

export type Codes = ReturnType<typeof addCodes>;

/** Adds one-time codes: their recipients, what a right one does, and the call that says one. */
export function addCodes(before: SignUp) {
  const { context, hasTexts, signIns, notifications, deliveryStatus, calls, takeSms } = before;
  const acceptShownKeys = context.config.keys && acceptShown;
  const recipients = createRecipients(context, { hasTexts, signIns });
  const otps = createOtps(context, {
    hasTexts,
    queueOtp: before.queueOtp,
    takeSms,
    calls,

    isComing: deliveryStatus.isComing,
    limitSubjectOf: before.knownBrowsers.limitSubjectOf,
    appCodes: createAppCodes(context, notifications),
    rightCodes: {
      ...signInsByCode(context, { signIns, notifications, acceptShownKeys }),
      ...changesByCode(context),
    },
  });
  const callScript = createCallScript(context, {
    subtenantOf: before.branding.subtenantOf,
    digitsToSay: otps.digitsToSay,
    onNews: before.recordMessage,
  });
  const deliveryOf = createDeliveryOf({ sent: deliveryStatus.of, recipients, otps });
  return { ...before, recipients, otps, callScript, deliveryOf };
}
