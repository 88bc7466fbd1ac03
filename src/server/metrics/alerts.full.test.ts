import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const FOLDER = fileURLToPath(new URL('../../../deploy/prometheus/', import.meta.url));

const promtool = (...args: readonly string[]) =>
  execFileSync('promtool', args, { cwd: FOLDER, encoding: 'utf8' });

test('[OPS-41] promtool finds nothing in the alarms, and they go off when they should', () => {
  expect(promtool('check', 'rules', 'alerts.yaml')).toMatch(/SUCCESS: \d+ rules/);
  expect(promtool('test', 'rules', 'alerts.test.yaml')).toContain('SUCCESS');
});
