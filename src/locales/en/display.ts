/** Texts of the panel behind the button "Display", apart from `shell` so that no other screen carries them. */
export const display = {
  panel: 'Display settings',
  language: 'Language / Idioma',
  colors: 'Colors',
  device: 'Match my device',
  light: 'Light',
  dark: 'Dark',
  read: 'Read this page to me',
  readStop: 'Stop reading',
  untimed: 'Take your time',
  untimedHint: 'Messages and pictures stay still, and no page moves on by itself.',
} as const;
