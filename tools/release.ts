// What a release is made of: its obstacles, its files, and the statement of how it was made.
import { createHash } from 'node:crypto';
import type { Lock } from './lock.ts';

export type Release = {
  readonly version: string;
  readonly changelog: string;
  /** The contents of deploy/helm/porchlight/Chart.yaml and values.yaml, and of deploy/compose.yaml. */
  readonly chart: string;
  readonly values: string;
  readonly compose: string;
  /** `git status --porcelain`. */
  readonly uncommitted: string;
  /** The tag that started a workflow. */
  readonly tag: string | undefined;
};

/** Returns the obstacles of a release. */
export function releaseFaults(release: Release): string[] {
  const { version, changelog, chart, values, compose, uncommitted, tag } = release;
  const image = new RegExp(`^ *image: ${imageOf(version).replaceAll('.', '\\.')}$`, 'm');
  const entry = changelog.split('\n').find((line) => line.startsWith(`## [${version}]`));
  const faults = [
    entry === undefined && `CHANGELOG.md: no entry for ${version}`,
    entry !== undefined &&
      !/ - \d{4}-\d\d-\d\d$/.test(entry) &&
      `CHANGELOG.md: the entry for ${version} has no date`,
    !chart.includes(`\nversion: ${version}\nappVersion: '${version}'\n`) &&
      `deploy/helm/porchlight/Chart.yaml: version and appVersion are not ${version}`,
    !image.test(values) &&
      `deploy/helm/porchlight/values.yaml: the image is not ${imageOf(version)}`,
    !image.test(compose) && `deploy/compose.yaml: the image is not ${imageOf(version)}`,
    uncommitted !== '' && 'git: there are changes without a commit',
    tag !== undefined && tag !== `v${version}` && `git: the tag is ${tag}, not v${version}`,
  ];
  return faults.filter((fault) => fault !== false);
}

/** The image that the files in deploy/ name. */
export const imageOf = (version: string): string => `porchlight:${version}`;

/** Returns the text of a version's entry, without its heading. */
export function notesOf(version: string, changelog: string): string {
  const [, after = ''] = changelog.split(`\n## [${version}]`);
  const [section = ''] = after.slice(after.indexOf('\n')).split('\n## [');
  return section.trim();
}

/** Files and folders that the server and the command line read at run time, besides dist/. The image has them, too. */
export const RUN_TIME_FILES = [
  'docs/porchlight.schema.json',
  'src/portal/assets/subtenants',
  'src/server/db/migrations',
  'src/server/notifications/porch.png',
  'src/server/proofs/password/common-passwords.bin',
];

/** Tracked files and folders of a release: what runs it, and what its operators read. */
export const RELEASED_FILES = [
  ...RUN_TIME_FILES,
  '.nvmrc',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'deploy',
  'docs',
  'examples',
  'package-lock.json',
  'package.json',
  'tools/node24',
  'tools/older-node',
  'tools/porchlight.mjs',
  'tools/setup',
  'tools/setup.mjs',
  'tools/start',
];

type Made = {
  readonly version: string;
  readonly commit: string;
  /** Set in a workflow. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly node: string;
  readonly lock: Lock;
  readonly files: Readonly<Record<string, Buffer>>;
};

export const sha256 = (content: Buffer): string =>
  createHash('sha256').update(content).digest('hex');

/** Returns the in-toto statement of the files, with a predicate of SLSA Provenance 1. It has no time: the same commit makes the same bytes. */
export function provenanceOf({ version, commit, env, node, lock, files }: Made): object {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_WORKFLOW_REF, PORCHLIGHT_IMAGE } = env;
  const repository =
    GITHUB_REPOSITORY && `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}@refs/tags/v${version}`;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: Object.entries(files).map(([name, content]) => ({
      name,
      digest: { sha256: sha256(content) },
    })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:porchlight:npm-run-release:1',
        externalParameters: { version, image: PORCHLIGHT_IMAGE ?? imageOf(version) },
        resolvedDependencies: [
          { name: 'source', uri: repository || undefined, digest: { gitCommit: commit } },
          { name: 'node', uri: `pkg:generic/node@${node.replace(/^v/, '')}` },
          ...packagesOf(lock),
        ],
      },
      runDetails: {
        builder: {
          id: GITHUB_WORKFLOW_REF
            ? `${GITHUB_SERVER_URL}/${GITHUB_WORKFLOW_REF}`
            : 'urn:porchlight:by-hand',
        },
      },
    },
  };
}

/** Returns the locked packages with their hashes: those of development, too, because they build the pages. */
function packagesOf({ packages }: Lock): readonly object[] {
  const rows = Object.entries(packages).flatMap(([place, { version, integrity }]) => {
    const name = place.split('node_modules/').at(-1)?.replace('@', '%40');
    const sha512 = integrity && Buffer.from(integrity.replace(/^sha512-/, ''), 'base64');
    return sha512
      ? [{ uri: `pkg:npm/${name}@${version}`, digest: { sha512: sha512.toString('hex') } }]
      : [];
  });
  return rows.filter(({ uri }, i) => rows.findIndex((row) => row.uri === uri) === i);
}
