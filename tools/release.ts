export type Release = {
  readonly version: string;
  readonly changelog: string;
  readonly security: string;
};

/** Stands in SECURITY.md until somebody decides who is told about vulnerabilities. */
export const CONTACT_PLACEHOLDER = '<security contact>';

/** What keeps a version from being released. */
export function releaseFaults({ version, changelog, security }: Release): string[] {
  const entry = changelog.split('\n').find((line) => line.startsWith(`## [${version}]`));
  return [
    ...(security.includes(CONTACT_PLACEHOLDER)
      ? [`SECURITY.md: put an address in the place of ${CONTACT_PLACEHOLDER}`]
      : []),
    ...(entry === undefined ? [`CHANGELOG.md: no entry for ${version}`] : []),
    ...(entry !== undefined && !/ - \d{4}-\d\d-\d\d$/.test(entry)
      ? [`CHANGELOG.md: the entry for ${version} has no date`]
      : []),
  ];
}
