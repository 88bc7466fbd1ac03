import { PHONE_VERIFIED } from '#contract/activation-messages.ts';
import { type Binder, succeeded } from '../http/bind.ts';
import type { Envelope } from '#contract/envelope.ts';
import type { Body, Data } from '#contract/index.ts';
import { activation as texts } from '#texts/activation.ts';
import { problems } from '#texts/problems.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { Subtenants } from '../subtenants/subtenants.ts';
import type { Activation } from './activation.ts';
import type { ActivationLinks, LinkVerdict } from './activation-links.ts';

type Deps = {
  readonly activation: Activation;
  readonly activationLinks: ActivationLinks;
  readonly subtenants: Pick<Subtenants, 'remember'>;
};

/** Binds the calls of activation. */
export function bindActivation(bind: Binder, deps: Deps): void {
  const { activation, activationLinks: links, subtenants } = deps;

  const linkOf = (body: Body<'confirmLink'>) => ({
    key: body.activationKey,
    registrationId: body.userRegstrtnId,
    userId: body.userId,
    platform: Number(body.signUpPlatform),
  });
  bind('validateLink', async ({ body, visit, ip }) => {
    const verdict = await links.validate(linkOf(body), visit, ip);
    if (verdict.kind === 'valid') await subtenants.remember(visit.id, verdict.subtenantId);
    return toEnvelope(verdict);
  });
  bind('confirmLink', async ({ body, visit, ip }) => {
    const proof = await links.confirm(linkOf(body), visit, ip);
    if ('otpId' in proof) return proof;
    if (proof.kind === 'done') return null;
    return { ...linkRefusal(proof.kind), data: null };
  });
  bind('rejectLink', ({ body, visit, ip }) => links.reject(linkOf(body), visit, ip));
  const linkFor = async (visit: Visit) => {
    const url = await links.forVisit(visit);
    return url === null ? null : { activationURL: url };
  };
  bind('createActivationLink', ({ visit }) => linkFor(visit));
  bind('getActivationLink', ({ visit }) => linkFor(visit));

  bind('isAuthUser', ({ params, visit }) => activation.isAuthUser(params.email, visit));
  bind('activateUser', async ({ body, visit, ip }) => {
    const { userId, userRegstrtnId: registrationId, otpId, password = null } = body;
    const claim = { userId, registrationId, otpId, password };
    const proven = await activation.activate(claim, visit, ip);
    return succeeded(true, proven === 'phone' ? [PHONE_VERIFIED] : []);
  });
}

function linkRefusal(kind: 'invalid' | 'expired') {
  const isInvalid = kind === 'invalid';
  return {
    succeeded: false,
    messages: [isInvalid ? problems.invalidLink : texts.expiredTitle],
    errorFlag: isInvalid ? 'INVALID_LINK' : 'EXPIRED_LINK',
  };
}

/** Maps 'Invalid Link' to the invalid page, any other failure to the expired one (ACT-02). */
function toEnvelope(verdict: LinkVerdict): Envelope<Data<'validateLink'>> {
  if (verdict.kind !== 'valid') return { ...linkRefusal(verdict.kind), data: null };
  const { isDone, canConfirm, canSendOtp, subtenantId, userId, phone, email, linkId } = verdict;
  const data: Data<'validateLink'> = {
    isValidLink: true,
    isDone,
    canConfirm,
    canSendOtp,
    otpSendMedium: 4,
    subtenantId,
    userId,
    primaryPhoneNumber: phone,
    primaryEmailId: email,
    userActivationId: linkId,
  };
  return { succeeded: true, data, messages: [], errorFlag: null };
}
