/** What a visitor may choose of how pages look and move; the first value is that of a page without a choice. */
export const DISPLAY_CHOICES = {
  theme: ['device', 'light', 'dark'],
  textSize: ['standard', 'large', 'largest'],
  untimed: ['off', 'on'],
} as const;

export type Preferences = {
  readonly [K in keyof typeof DISPLAY_CHOICES]: (typeof DISPLAY_CHOICES)[K][number];
};

/** The form of the choices where no script runs, and the cookie that keeps them everywhere. */
export const DISPLAY_FORM = 'display';
export const DISPLAY_COOKIE = 'display';
/** What a page is drawn with, also at an address that takes no form. */
export const DRAWN_PREFERENCES = 'preferences';
/** As long as browsers keep one. */
export const DISPLAY_COOKIE_SECONDS = 34_560_000;

const NAMES = Object.keys(DISPLAY_CHOICES) as (keyof Preferences)[];

/** @param choiceOf what was chosen by name; a value that is none counts as no choice */
export function readPreferences(choiceOf: (name: keyof Preferences) => unknown): Preferences {
  const chosen = NAMES.map((name) => {
    const values: readonly string[] = DISPLAY_CHOICES[name];
    return [name, values.find((value) => value === choiceOf(name)) ?? values[0]];
  });
  return Object.fromEntries(chosen) as Preferences;
}

/** The choices as a cookie's value: `dark.large.off`. */
export function writePreferences(preferences: Preferences): string {
  return NAMES.map((name) => preferences[name]).join('.');
}

/** @param text a cookie's value, as anybody may have written it */
export function parsePreferences(text = ''): Preferences {
  const values = text.split('.');
  return readPreferences((name) => values[NAMES.indexOf(name)]);
}

/** The attributes that a page's root has for the choices, such as ` data-theme="dark"`. */
export function preferenceAttributes(preferences: Preferences): string {
  const { theme, textSize, untimed } = preferences;
  return [
    theme === 'device' ? '' : ` data-theme="${theme}"`,
    textSize === 'standard' ? '' : ` data-text-size="${textSize}"`,
    untimed === 'off' ? '' : ' data-untimed="on"',
  ].join('');
}
