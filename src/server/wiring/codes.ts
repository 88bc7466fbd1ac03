import { createAppCodes } from '../authenticator/authenticator.ts';
import { changesByCode } from '../contacts/change-by-code.ts';
import { createCallScript } from '../notifications/calls.ts';
import { createDeliveryOf } from '../otp/code-delivery.ts';
import { createOtps } from '../otp/otp.ts';
import { createRecipients } from '../otp/recipients.ts';
import { acceptShown } from '../passkeys/key-store.ts';
import { signInsByCode } from '../sign-in/right-codes.ts';
import type { Core } from './core.ts';
import type { Delivery } from './delivery.ts';
import type { SignIn } from './sign-in.ts';
import type { SignUp } from './sign-up.ts';

export type Codes = ReturnType<typeof createCodes>;

/** Creates one-time codes: their recipients, what a right one does, and the call that says one. */
export function createCodes(
  { context, knownBrowsers, recordMessage }: Core,
  { hasTexts, smsGuard, calls, deliveryStatus, notifications, subtenants }: Delivery,
  { signIns }: SignIn,
  { queueOtp }: SignUp,
) {
  const recipients = createRecipients(context, { hasTexts, signIns });
  const acceptShownKeys = context.config.keys && acceptShown;
  const otps = createOtps(context, {
    hasTexts,
    queueOtp,
    takeSms: smsGuard.take,
    calls,
    isComing: deliveryStatus.isComing,
    limitSubjectOf: knownBrowsers.limitSubjectOf,
    appCodes: createAppCodes(context, notifications),
    rightCodes: {
      ...signInsByCode(context, { signIns, acceptShownKeys, notifications }),
      ...changesByCode(context, notifications),
    },
  });
  const callScript = createCallScript(context, {
    subtenantOf: subtenants.shownLately,
    digitsToSay: otps.digitsToSay,
    onNews: recordMessage,
  });
  const deliveryOf = createDeliveryOf({ sent: deliveryStatus.of, recipients, otps });
  return { recipients, otps, callScript, deliveryOf };
}
