import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { OFFERED, PSEUDO_LANGUAGES } from '#locales/languages.ts';

const ENTRY = `
    export const render = async ({ boot }) =>
      ({ html: 'drawn', title: 'Drawn', status: boot.screen === 'notFound' ? 404 : 200, module: '', forms: [] });
    export const answer = async () => ({ way: { kind: 'page', href: '/' }, rendered: null });
    export const themeCss = () => '';
    export const preHydration = () => '', helpCard = () => '', sprite = () => '', counterScript = () => '';
  `;
const MANIFEST = '{"style.css":{"file":"assets/style.css"}}';
const OTHERS = [...OFFERED.slice(1), ...Object.keys(PSEUDO_LANGUAGES)].flatMap((language) => [
  [`client/.vite/manifest.${language}.json`, MANIFEST] as const,
  [`server/${language}/entry-server.js`, ENTRY] as const,
]);

/** As little of a built portal as the server asks for. */
const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(OTHERS),
  'client/.vite/manifest.json': MANIFEST,
  'client/assets/style.css': '',
  'server/styles.json': '[]',
  'server/mirror.css': '',
  'server/entry-server.js': ENTRY,
  'server/entry-console.js': `
    export const render = (page) => ({ html: JSON.stringify(page), title: 'Drawn', script: null });
    export const styles = '';
  `,
};

/** A folder that the server takes for a built portal; its pages have the visit's state beside an empty screen. */
export function writeStubBuild(): string {
  const build = mkdtempSync(join(tmpdir(), 'porchlight-portal-'));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(build, name)), { recursive: true });
    writeFileSync(join(build, name), text);
  }
  return build;
}
