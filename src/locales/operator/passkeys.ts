/** Passkeys, for operators. */
export const passkeysCommand = {
  otherDomain:
    '{count} saved keys are on record for {old}, and none of them works at {rpId}. Set PORCHLIGHT_RP_ID (signIn.rpId) to {old}. Or start all the same, by PORCHLIGHT_RP_ID_CHANGE=accept. People then sign in by password and code, and save new keys.',
} as const;
