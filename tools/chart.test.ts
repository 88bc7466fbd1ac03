import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './processes.ts';

const CHART = path.join(ROOT, 'deploy/helm/porchlight');
const read = (file: string) => readFileSync(path.join(CHART, file), 'utf8');
const templates = globSync('templates/*', { cwd: CHART }).map(read).join('\n');

type Schema = { readonly properties?: Readonly<Record<string, Schema>> };
const schema = JSON.parse(read('values.schema.json')) as Schema;

const propertyAt = (names: readonly string[]) =>
  names.reduce<Schema | undefined>((at, name) => at?.properties?.[name], schema);

test('[OPS-102] N35: each value of the chart is in its schema, has a default, and is used', () => {
  const used = new Set([...templates.matchAll(/\.Values\.([\w.]+)/g)].map(([, name = '']) => name));
  expect([...used].filter((name) => !propertyAt(name.split('.')))).toEqual([]);
  const { global: _, ...own } = schema.properties ?? {};
  const known = Object.entries(own).flatMap(([name, { properties }]) =>
    properties ? Object.keys(properties).map((each) => `${name}.${each}`) : [name],
  );
  expect(known.filter((name) => !used.has(name))).toEqual([]);
  const defaults = read('values.yaml');
  const isGiven = (name: string) => {
    const [first = '', second] = name.split('.');
    const nested = second === undefined ? '' : String.raw`\n(?:[ #].*\n)*? {2}${second}:`;
    return new RegExp(`^${first}:.*${nested}`, 'm').test(defaults);
  };
  expect(known.filter((name) => !isGiven(name))).toEqual([]);
});

test('[OPS-102] N35: every block of a template is closed, and no number is printed with an exponent', () => {
  for (const file of globSync('templates/*', { cwd: CHART })) {
    const actions = [...read(file).matchAll(/\{\{-? *(if|with|range|define|end)\b/g)];
    const ends = actions.filter(([, word]) => word === 'end').length;
    expect([file, actions.length - ends]).toEqual([file, ends]);
  }
  expect(templates).not.toMatch(/\$value \| quote/);
  expect(templates).toContain('ternary $value (toJson $value) (kindIs "string" $value) | quote');
});

test('[OPS-102] N35: instances restart when their files or secrets change, and the job alone migrates', () => {
  for (const [kind, name] of [
    ['ConfigMap', 'filesName'],
    ['Secret', 'secretName'],
  ]) {
    expect(templates).toContain(
      `(lookup "v1" "${kind}" .Release.Namespace .Values.${name}).data | toJson | sha256sum`,
    );
  }
  expect(read('templates/migration.yaml')).toMatch(/helm\.sh\/hook: pre-install,pre-upgrade\n/);
  expect(read('templates/migration.yaml')).toContain(
    'command: [node, dist/server/cli.js, migrate]',
  );
  const alarms = readFileSync(path.join(ROOT, 'deploy/prometheus/alerts.yaml'), 'utf8');
  expect(alarms).toContain('up{job="porchlight"}');
  expect(templates).toContain('jobLabel: app.kubernetes.io/name');
});

test('[OPS-102] [R20] F49: no range of pods may name client addresses by default', () => {
  expect(read('values.yaml')).toMatch(/^ {2}TRUSTED_PROXIES: none$/m);
});
