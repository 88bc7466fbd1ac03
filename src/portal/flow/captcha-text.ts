import { captcha } from '#locales/en/captcha.ts';
import { fill } from '#locales/fill.ts';
import type { Boot } from '#contract/boot.ts';

/** The text for a browser that cannot solve the captcha, with whom to ask. */
export function captchaText({ phone, email }: Boot['settings']['help']): string {
  return fill(captcha.failed, { phone, email });
}
