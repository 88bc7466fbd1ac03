import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

/**
 * What the files of `dist/` were made of, as an in-toto statement with SLSA's provenance (slsa.dev/provenance/v1). It is
 * not signed: whoever releases does that, under the name that `builder` gives them.
 * @param commit the Git commit that the sources are of
 */
export function provenanceOf(
  root: string,
  { commit, builder }: { commit: string; builder: string },
) {
  const files = globSync('dist/**/*', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: files.map((file) => ({
      name: path.relative(root, file).split(path.sep).join('/'),
      digest: { sha256: sha256(file) },
    })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:porchlight:npm-run-build:v1',
        externalParameters: { command: 'npm ci && npm run build' },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: commit } },
          {
            name: 'package-lock.json',
            digest: { sha256: sha256(path.join(root, 'package-lock.json')) },
          },
          { uri: `pkg:generic/node@${process.versions.node}` },
        ],
      },
      runDetails: { builder: { id: builder } },
    },
  };
}
