import { expect, test } from 'vitest';
import { notesOf, provenanceOf, releaseFaults } from './release.ts';

const READY = {
  version: '1.2.0',
  chart: "name: porchlight\nversion: 1.2.0\nappVersion: '1.2.0'\n",
  values: '# Values\nimage: porchlight:1.2.0\nreplicas: 2\n',
  compose: 'services:\n  porchlight:\n    image: porchlight:1.2.0\n',
  uncommitted: '',
  tag: undefined,
  changelog: '# Changelog\n\n## [1.2.0] - 2026-12-01\n\n## [1.1.0] - 2026-11-01\n',
};

test('a version with a dated entry may go out', () => {
  expect(releaseFaults(READY)).toEqual([]);
});

test.each([
  ['no entry', { version: '1.3.0' }, 'no entry for 1.3.0'],
  ['an entry of another version alone', { version: '1.2.0-rc' }, 'no entry for 1.2.0-rc'],
  ['no date', { changelog: '## [1.2.0] - unreleased' }, 'has no date'],
  ['a chart of another version', { chart: "\nversion: 1.1.0\nappVersion: '1.1.0'\n" }, 'Chart'],
  ['an image of another version', { values: '\nimage: porchlight:1.1.0\n' }, 'values.yaml'],
  [
    'an image of another version in the demo',
    { compose: '\n    image: porchlight:1.1.0\n' },
    'compose.yaml',
  ],
  ['a change without a commit', { uncommitted: ' M README.md' }, 'without a commit'],
  ['a tag of another version', { tag: 'v1.1.0' }, 'the tag is v1.1.0, not v1.2.0'],
])('%s keeps it back', (_what, change, fault) => {
  expect(releaseFaults({ ...READY, ...change })).toContainEqual(expect.stringContaining(fault));
});

test('the tag of the version is no obstacle', () => {
  expect(releaseFaults({ ...READY, tag: 'v1.2.0' })).toEqual([]);
});

test("release notes are the version's entry alone", () => {
  const changelog =
    '# Changelog\n\n## [1.2.0] - 2026-12-01\n\n### Added\n- A.\n\n## [1.1.0]\n- B.\n';
  expect(notesOf('1.2.0', changelog)).toBe('### Added\n- A.');
  expect(notesOf('1.1.0', changelog)).toBe('- B.');
});

test('[OPS-99] the provenance names files, commit, packages by hash, and the workflow that made them', () => {
  const made = {
    version: '1.2.0',
    commit: 'abc',
    node: 'v24.1.0',
    lock: {
      packages: {
        '': { version: '1.2.0' },
        'node_modules/@scope/one': { version: '1.0.0', integrity: 'sha512-/w==' },
        'node_modules/two/node_modules/@scope/one': { version: '1.0.0', integrity: 'sha512-/w==' },
        'node_modules/own': { link: true, resolved: 'tools/own' },
      },
    },
    files: { 'a.txt': Buffer.from('a') },
  };
  const [source, ...others] = [
    { name: 'source', digest: { gitCommit: 'abc' } },
    { name: 'node', uri: 'pkg:generic/node@24.1.0' },
    { uri: 'pkg:npm/%40scope/one@1.0.0', digest: { sha512: 'ff' } },
  ];
  const sha256 = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb';
  expect(provenanceOf({ ...made, env: {} })).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'a.txt', digest: { sha256 } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: { resolvedDependencies: [source, ...others] },
      runDetails: { builder: { id: 'urn:porchlight:by-hand' } },
    },
  });
  const env = {
    GITHUB_SERVER_URL: 'https://forge.example.org',
    GITHUB_REPOSITORY: 'us/porchlight',
    GITHUB_WORKFLOW_REF: 'us/porchlight/.github/workflows/release.yml@refs/tags/v1.2.0',
  };
  const uri = 'git+https://forge.example.org/us/porchlight@refs/tags/v1.2.0';
  expect(provenanceOf({ ...made, env })).toMatchObject({
    predicate: {
      buildDefinition: { resolvedDependencies: [{ ...source, uri }, ...others] },
      runDetails: {
        builder: { id: `https://forge.example.org/${env.GITHUB_WORKFLOW_REF}` },
      },
    },
  });
});
