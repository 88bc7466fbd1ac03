// `npm run test:browsers`: the main journeys in the browsers that tools/test-browsers.ts found on this machine.
import { defineConfig } from '@playwright/test';
import type { Options } from './e2e/browsers/test.ts';
import suite from './playwright.config.ts';
import type { Engine } from './tools/browsers.ts';

const engines = JSON.parse(process.env.E2E_ENGINES ?? '[]') as Engine[];

export default defineConfig<object, Options>({
  ...suite,
  testDir: 'e2e/browsers',
  testMatch: '*.journeys.ts',
  outputDir: 'test-results/browsers',
  // WebKitGTK draws without a graphics card: on a busy machine a journey takes its time.
  timeout: 180_000,
  // One after the other: signing in twice at once with one demo account leaves only the newest code valid.
  workers: 1,
  reporter: [['list'], ['json', { outputFile: 'test-results/reports/browsers.json' }]],
  projects: engines.map((engine) => ({ name: engine.name, use: { engine } })),
});
