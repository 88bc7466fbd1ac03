/** The visitor's choices of look and motion; the first value is the default. */
export const DISPLAY_CHOICES = {
  theme: ['device', 'light', 'dark'],
  textSize: ['standard', 'large', 'largest'],
  untimed: ['off', 'on'],
} as const;

export type Preferences = {
  readonly [K in keyof typeof DISPLAY_CHOICES]: (typeof DISPLAY_CHOICES)[K][number];
};

/** The form of the choices without JavaScript, and the cookie that keeps them. */
export const DISPLAY_FORM = 'display';
export const DISPLAY_COOKIE = 'display';
/** The name under which a rendering keeps the choices, also at an address that accepts no form. */
export const DRAWN_PREFERENCES = 'preferences';
/** Seconds, the maximum of browsers. */
export const DISPLAY_COOKIE_SECONDS = 34_560_000;

const NAMES = Object.keys(DISPLAY_CHOICES) as (keyof Preferences)[];

/** @param choiceOf returns the choice of a name; an unknown value counts as none */
export function readPreferences(choiceOf: (name: keyof Preferences) => unknown): Preferences {
  const chosen = NAMES.map((name) => {
    const values: readonly string[] = DISPLAY_CHOICES[name];
    return [name, values.find((value) => value === choiceOf(name)) ?? values[0]];
  });
  return Object.fromEntries(chosen) as Preferences;
}

/** Returns the choices as a cookie's value: `dark.large.off`. */
export function writePreferences(preferences: Preferences): string {
  return NAMES.map((name) => preferences[name]).join('.');
}

/** @param text a cookie's value, which is untrusted */
export function parsePreferences(text = ''): Preferences {
  const values = text.split('.');
  return readPreferences((name) => values[NAMES.indexOf(name)]);
}

/** Returns the attributes of a page's root for the choices, such as ` data-theme="dark"`. */
export function preferenceAttributes(preferences: Preferences): string {
  const { theme, textSize, untimed } = preferences;
  return [
    theme === 'device' ? '' : ` data-theme="${theme}"`,
    textSize === 'standard' ? '' : ` data-text-size="${textSize}"`,
    untimed === 'off' ? '' : ' data-untimed="on"',
  ].join('');
}
