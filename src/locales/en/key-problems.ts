/** Why a saved key did not work, in one sentence. */
export const keyProblems = {
  cancelled: 'The device was not unlocked, or you stopped it.',
  tooLate: 'The device was not unlocked in time.',
  unknown: 'We do not know this key any more.',
  deviceCannot: 'This device cannot use it here.',
  savedBefore: 'A key is saved on this device already.',
  suspended: 'Your account is switched off. Please call us.',
  codeFirst:
    'To be safe, please sign in once with your password and a code. Then your key works again.',
  refused: 'We could not check it.',
  offline: 'This device is not online.',
} as const;
