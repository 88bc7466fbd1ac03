import { captcha } from '#locales/en/captcha.ts';
import { fill } from '#locales/fill.ts';
import type { Boot } from '#contract/boot.ts';

/** What a visitor reads whose browser cannot do the security check, with a way on. */
export function captchaText({ phone, email }: Boot['settings']['help']): string {
  return fill(captcha.failed, { phone, email });
}
