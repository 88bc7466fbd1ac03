// `npm run sbom`: the packages that a production install takes, as CycloneDX, from the lock file alone. To a file, or
// to stdout when none is named; with --all also the packages of development, each marked as one.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, run } from './processes.ts';

type Component = {
  'bom-ref': string;
  properties?: { name: string; value: string }[];
};
type Bom = {
  serialNumber?: string;
  metadata: { timestamp?: string; component: { name: string } };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

/** Private are the lists of what a start installs: folders of this project, and no packages. */
const DEVELOPMENT = new Set(['cdx:npm:package:development', 'cdx:npm:package:private']);
const isForDevelopment = ({ properties = [] }: Component): boolean =>
  properties.some(({ name }) => DEVELOPMENT.has(name));

function withoutDevelopment(bom: Bom): Bom {
  const components = bom.components.filter((component) => !isForDevelopment(component));
  const left = new Set(components.map((component) => component['bom-ref']));
  const known = (ref: string) => left.has(ref);
  const [root, ...others] = bom.dependencies;
  const dependencies = [...(root ? [root] : []), ...others.filter(({ ref }) => known(ref))];
  return {
    ...bom,
    components,
    dependencies: dependencies.map(({ ref, dependsOn }) => ({
      ref,
      dependsOn: dependsOn.filter(known),
    })),
  };
}

const args = process.argv.slice(2);
const file = args.find((argument) => !argument.startsWith('--'));
const { code, output } = await run(
  'npm',
  [
    'sbom',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
    '--package-lock-only',
    '--offline',
    // All of it: npm's own --omit=dev also leaves out what production shares with development (npm/cli issue 7909).
    '--include=dev',
    '--include=optional',
    '--loglevel=silent',
  ],
  { output: 'collect' },
);
if (code !== 0) {
  console.error(`npm sbom failed (exit code ${code}); it needs npm 10 or newer.\n${output}`);
  process.exitCode = 1;
} else {
  const all = JSON.parse(output) as Bom;
  // npm names the folder.
  const { name } = JSON.parse(
    readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
  ) as Bom['metadata']['component'];
  all.metadata.component.name = name;
  // The same bytes each time (reproducible-builds.org): npm names the time of the call, and a random number.
  const { SOURCE_DATE_EPOCH } = process.env;
  if (SOURCE_DATE_EPOCH) {
    all.metadata.timestamp = new Date(Number(SOURCE_DATE_EPOCH) * 1000).toISOString();
    delete all.serialNumber;
  }
  const text = `${JSON.stringify(args.includes('--all') ? all : withoutDevelopment(all), null, 2)}\n`;
  if (file === undefined) process.stdout.write(text);
  else writeFileSync(path.resolve(process.env.INIT_CWD ?? '.', file), text);
}
