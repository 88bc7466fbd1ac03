export type Release = {
  readonly version: string;
  readonly changelog: string;
};

/** Returns the obstacles of a release. */
export function releaseFaults({ version, changelog }: Release): string[] {
  const entry = changelog.split('\n').find((line) => line.startsWith(`## [${version}]`));
  return [
    ...(entry === undefined ? [`CHANGELOG.md: no entry for ${version}`] : []),
    ...(entry !== undefined && !/ - \d{4}-\d\d-\d\d$/.test(entry)
      ? [`CHANGELOG.md: the entry for ${version} has no date`]
      : []),
  ];
}
