/** The security check that the browser does by itself; people read of it only when it cannot. */
export const captcha = {
  failed: 'Our security check does not work in this browser. Please try another browser.',
} as const;
