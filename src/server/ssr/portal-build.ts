import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AnsweredForm, Boot, RenderedScreen, Waking } from '#contract/boot.ts';
import { fill } from '#locales/fill.ts';
import { directionOf, type Language, ORIGINAL } from '#locales/languages.ts';
import { server as texts } from '#locales/operator/server.ts';
import { OperatorError } from '../config/operator-error.ts';
import { type StyleRule, stylesFor } from './page-styles.ts';

type Manifest = Readonly<
  Record<string, { readonly file: string; readonly imports?: readonly string[] }>
>;

/** A browser without script, in whose place the server asks (the portal's `no-js/browser.ts`). */
export type NativeBrowser = {
  readonly userAgent: string;
  readonly origin: string;
  /** A cookie as it stands by now; `null` without one. */
  readonly cookie: (name: string) => string | null;
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
};

type PageInput = {
  readonly path: string;
  readonly search: string;
  readonly boot: Boot;
  readonly known: Readonly<Record<string, unknown>>;
};

/** What the portal's server-side bundle offers. */
type PortalModule = {
  readonly render: (input: PageInput & { readonly origin: string }) => Promise<RenderedScreen>;
  readonly answer: (
    input: PageInput & { readonly sent: FormData; readonly browser: NativeBrowser },
  ) => Promise<AnsweredForm>;
  readonly preHydration: (
    entry: string,
    plan: {
      readonly scripts: readonly string[];
      readonly icons: string;
      readonly styleSheet: string;
      readonly font: string;
      readonly waking: Waking;
    },
  ) => string;
  readonly helpCard: (boot: Pick<Boot, 'settings' | 'hours'>) => string;
  readonly sprite: (html: string) => string;
  /** The script of a shared device's bar. */
  readonly counterScript: () => string;
  readonly themeCss: (accent: string | null) => string;
};

export type PortalBuild = Awaited<ReturnType<typeof readBuild>>;

const ENTRY = 'src/portal/entry-client.tsx';
/** The build's name for its one style sheet. */
const STYLES = 'style.css';
const ICONS = 'src/portal/assets/icons.svg';
const FONT = 'src/portal/assets/fonts/atkinson-latin-wght.woff2';

/** Returns the portal in a language. */
export type PortalBuilds = (language: Language) => Promise<PortalBuild>;

/**
 * Loads the built portal: the server-side bundle and the manifest of the browser's files, in English at once and in each
 * other language when the first visitor asks for it.
 * @throws OperatorError when there is none
 */
export async function loadPortalBuild(directory: string): Promise<PortalBuilds> {
  if (!existsSync(manifestFile(directory, ORIGINAL))) {
    throw new OperatorError(fill(texts.notBuilt, { directory }));
  }
  const original = readBuild(directory, ORIGINAL);
  const builds = new Map<Language, Promise<PortalBuild>>([[ORIGINAL, original]]);
  await original;
  return (language) => {
    const build = builds.get(language) ?? readBuild(directory, language);
    builds.set(language, build);
    return build;
  };
}

const manifestFile = (directory: string, language: Language) =>
  join(directory, `client/.vite/manifest${language === ORIGINAL ? '' : `.${language}`}.json`);

const bundleFile = (directory: string, language: Language) =>
  join(directory, 'server', language === ORIGINAL ? '' : language, 'entry-server.js');

async function readBuild(directory: string, language: Language) {
  const manifest = JSON.parse(readFileSync(manifestFile(directory, language), 'utf8')) as Manifest;
  const url = pathToFileURL(bundleFile(directory, language)).href;
  const portal = (await import(url)) as PortalModule;
  const rules = JSON.parse(
    readFileSync(join(directory, 'server/styles.json'), 'utf8'),
  ) as readonly StyleRule[];
  const mirror =
    directionOf(language) === 'rtl'
      ? readFileSync(join(directory, 'server/mirror.css'), 'utf8')
      : '';
  const known = new Map<string, readonly string[]>();

  const read = (module: string): readonly string[] => {
    const scripts = new Set<string>();
    const visit = (key: string): void => {
      const chunk = manifest[key];
      if (!chunk || scripts.has(chunk.file)) return;
      scripts.add(chunk.file);
      chunk.imports?.forEach(visit);
    };
    visit(ENTRY);
    visit(module);
    return [...scripts];
  };

  return {
    ...portal,
    entry: manifest[ENTRY]?.file ?? '',
    /** The file of all icons. */
    icons: manifest[ICONS]?.file ?? '',
    /** The file of the typeface. */
    font: manifest[FONT]?.file ?? '',
    /** The styles of a drawn screen, to be inlined: one request until usable (performance F3). */
    stylesFor: (html: string): string => stylesFor(rules, html) + mirror,
    /** The file of all styles. */
    styleSheet: manifest[STYLES]?.file ?? '',
    /** The scripts that a screen needs. */
    scriptsOf(module: string): readonly string[] {
      const scripts = known.get(module) ?? read(module);
      known.set(module, scripts);
      return scripts;
    },
  };
}
