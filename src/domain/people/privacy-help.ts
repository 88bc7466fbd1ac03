/** The browser help for an invisible session (GEN-10), by variant number. */
export type PrivacyHelp = 1 | 2 | 3 | 4;

/**
 * Returns the help for a user agent: Safari desktop 1; Safari mobile or tablet 3; Chrome, Edge, Opera, Firefox 2;
 * unknown 4.
 */
export function privacyHelpFor(userAgent: string): PrivacyHelp {
  // Every browser on iOS has its own name; all but Safari still carry "Safari" at the end.
  if (
    /Firefox\/|FxiOS|Edg(e|A|iOS)?\/|OPR\/|OPiOS|Opera|OPT\/|Chrome\/|CriOS|Chromium/.test(
      userAgent,
    )
  )
    return 2;
  if (!/Safari\//.test(userAgent) || !/Version\//.test(userAgent)) return 4;
  // Others built on WebKit call themselves Safari too (GNOME Web, the old Android browser) but have other settings.
  if (!/Macintosh|iPhone|iPad|iPod/.test(userAgent)) return 4;
  return /Mobile|iPhone|iPad|iPod/.test(userAgent) ? 3 : 1;
}
