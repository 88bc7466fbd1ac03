const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|OPiOS|Opera/, 'Opera'],
  [/Firefox\/|FxiOS/, 'Firefox'],
  [/Chrome\/|CriOS|Chromium/, 'Chrome'],
  [/Safari\//, 'Safari'],
];

/** Returns the browser's fields of the auth login record (RED-14). */
export function browserOf(userAgent: string): {
  readonly deviceType: string;
  readonly browseMode: string;
  readonly browseType: string;
} {
  const isTablet = /iPad|Tablet/.test(userAgent);
  const isPhone = /Mobi|iPhone/.test(userAgent);
  return {
    deviceType: isTablet ? 'Tablet' : isPhone ? 'Mobile' : 'Desktop',
    browseMode: 'Web',
    browseType: BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'Other',
  };
}
