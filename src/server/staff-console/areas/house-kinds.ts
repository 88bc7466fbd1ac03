import { type EventKind, eventNames } from '#locales/operator/events.ts';

/** The kinds of events that a house reads about its accounts and its staff (HOU-07). */
// prettier-ignore
const SHOWN = [
  'account.activated', 'account.added', 'account.appCodeAdded', 'account.appCodeRemoved', 'account.changeUndone',
  'account.changed', 'account.closing', 'account.contactChanged', 'account.erased', 'account.exported',
  'account.imported', 'account.invited', 'account.kept', 'account.made', 'account.mailProven',
  'account.passwordChanged', 'account.recoveryCodeUsed', 'account.recoveryCodesRenewed', 'account.resetMailed',
  'account.resumed', 'account.roleAdded', 'account.rolesChanged', 'account.signedOut', 'account.suspended',
  'account.undoMailed', 'account.unlocked', 'console.auditRead', 'console.downloaded', 'console.looked',
  'console.manyLooks', 'console.manySuspends', 'console.resent', 'house.administratorAdded',
  'house.administratorRemoved', 'house.asked', 'house.looked', 'house.rolesListed', 'helper.accepted',
  'helper.asked', 'helper.ended', 'invitation.declined', 'invitation.sent', 'invitation.withdrawn', 'key.added', 'key.removed', 'organisation.agreed', 'organisation.linked', 'organisation.offered', 'organisation.unlinked',
  'reset.asked', 'reset.done', 'sharedDevice.off', 'sharedDevice.on', 'signIn.complete', 'signIn.suspended',
  'staffChange.agreed', 'staffChange.asked', 'staffChange.begun', 'staffChange.done', 'staffChange.stopped',
  'subtenant.changed', 'subtenant.closed', 'subtenant.opened',
] as const satisfies readonly EventKind[];

/** Those that stay with operators: the service, programs, messages, attempts, and what names a visit or a browser. */
// prettier-ignore
const KEPT = [
  'account.changedByClient', 'account.createdByClient', 'account.deletedByClient', 'account.linked',
  'account.takenOver', 'account.unlinked', 'activation.invalidLink', 'activation.linkConfirmed',
  'activation.rejected', 'activation.ticket', 'backup.made', 'backup.restored', 'call.refused', 'call.said',
  'calls.nearLimit', 'captcha.passed', 'captcha.refused', 'client.added', 'client.allowed', 'client.changed',
  'client.consentRevoked', 'client.denied', 'client.removed', 'client.secretRotated', 'client.signIn',
  'console.auditVerified', 'console.searched', 'console.visitLooked', 'enumeration.suspected', 'handoff.issued',
  'handoff.moduleMissing', 'handoff.redeemed', 'handoff.replayed', 'helper.refused', 'helper.used',
  'hosted.codeRight', 'hosted.linked', 'hosted.refreshed', 'hosted.refused', 'hosted.revoked',
  'hosted.sessionsKept', 'hosted.tokens', 'hosted.unproven', 'key.refused', 'key.stepUp', 'keys.retired',
  'keys.rotated', 'leads.purged', 'leads.resent', 'limit.refused', 'limits.cleared', 'message.failed',
  'module.checked', 'organisation.added', 'organisation.bearerMade', 'organisation.changed',
  'organisation.checked', 'organisation.refused', 'organisation.removed', 'organisation.secretChanged',
  'otp.askedOfApp', 'otp.called', 'otp.sent', 'otp.verified', 'otp.wrong', 'outbox.dead', 'outbox.dropped',
  'outbox.retried', 'promo.saved', 'promo.usedUp', 'request.failed', 'request.mistaken', 'request.refused',
  'reset.heldBack', 'reset.invalidLink', 'reset.ticket', 'sessions.ended', 'sharedDevice.cleared', 'signOut',
  'scim.changed', 'scim.created', 'scim.deleted', 'scim.read', 'signIn.key', 'signIn.organisation',
  'signIn.ownerWarned', 'signIn.password', 'signIn.refused', 'signIn.wrongPassword', 'signUp.addressChanged',
  'signUp.asked', 'signUp.created', 'subtenant.added', 'text.refused', 'texts.nearLimit', 'texts.unusedCodes',
] as const satisfies readonly EventKind[];

/** Does not compile while a kind is in neither list. */
export const KIND_IS_SHOWN: Readonly<Record<EventKind, boolean>> = {
  ...listed(SHOWN, true),
  ...listed(KEPT, false),
};
function listed<const Kinds extends readonly EventKind[]>(kinds: Kinds, isShown: boolean) {
  return Object.fromEntries(kinds.map((kind) => [kind, isShown])) as Record<Kinds[number], boolean>;
}

export const SHOWN_KINDS: readonly string[] = Object.keys(eventNames).filter(
  (kind) => (KIND_IS_SHOWN as Record<string, boolean>)[kind],
);
