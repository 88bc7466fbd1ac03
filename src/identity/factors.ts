/** RFC 8176: `otp` stands for the verified one-time code. */
export function hasSecondFactor(amr: readonly string[] | undefined): boolean {
  return amr?.includes('otp') ?? false;
}
