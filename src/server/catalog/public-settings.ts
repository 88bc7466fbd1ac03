import { STEP_GAP_MS } from '#domain/flow/step-gap.ts';
import type { Data } from '#contract/index.ts';
import type { Config } from '../config/config.ts';

type HostedLogin = Omit<Data<'getSettings'>['hostedLogin'], 'scope'>;

/** Without the fields that differ between visitors. */
export type Settings = Omit<Data<'getSettings'>, 'isCaptchaNeeded'>;

/** Returns the public settings of this installation (API-04). */
export function publicSettings(config: Config, hostedLogin: HostedLogin): Settings {
  return {
    hostedLogin: {
      ...hostedLogin,
      scope: 'openid profile email offline_access',
    },
    mainImageMode: config.mainImageMode,
    fullWidthPaths: [...config.fullWidthPaths],
    ...(config.stepGapMs !== STEP_GAP_MS.usual && { stepGapMs: config.stepGapMs }),
    ...(config.keys && {
      keys: config.keys.isAutomatic ? ('automatic' as const) : ('on' as const),
    }),
    isDemo: config.mode === 'demo',
    // A number that breaks in two is hard to call.
    help: { ...config.help, phone: config.help.phone.replaceAll(' ', '\u00a0') },
  };
}
