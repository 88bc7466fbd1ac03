/** Which browser help is shown when the session cannot be seen (GEN-10), by variant number. */
export type PrivacyHelp = 1 | 2 | 3 | 4;

/** Chooses the help from the user agent: Safari desktop 1; Safari mobile or tablet 3; Chrome, Edge, Opera, Firefox 2; unknown 4. */
export function privacyHelpFor(userAgent: string): PrivacyHelp {
  // Every browser on iOS names itself in its own way; all but Safari still carry "Safari" at the end.
  if (
    /Firefox\/|FxiOS|Edg(e|A|iOS)?\/|OPR\/|OPiOS|Opera|OPT\/|Chrome\/|CriOS|Chromium/.test(
      userAgent,
    )
  )
    return 2;
  if (!/Safari\//.test(userAgent) || !/Version\//.test(userAgent)) return 4;
  // Others built on WebKit call themselves Safari too (GNOME Web, the old Android browser): its settings are not theirs.
  if (!/Macintosh|iPhone|iPad|iPod/.test(userAgent)) return 4;
  return /Mobile|iPhone|iPad|iPod/.test(userAgent) ? 3 : 1;
}
