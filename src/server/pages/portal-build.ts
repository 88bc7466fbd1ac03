import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Boot, Rendered } from './document.ts';

type Manifest = Readonly<
  Record<string, { readonly file: string; readonly css?: readonly string[]; readonly imports?: readonly string[] }>
>;

/** What the portal's server-side bundle offers. */
type PortalModule = {
  readonly render: (input: { path: string; search: string; boot: Boot }) => Promise<Rendered>;
  readonly earlySource: string;
  readonly sprite: string;
  readonly fontUrl: string;
  readonly themeCss: (accent: string | null) => string;
};

/** The files a screen needs. */
export type ScreenFiles = {
  readonly scripts: readonly string[];
  readonly stylesheets: readonly string[];
  /** The stylesheets' text, to be inlined: one request until usable (performance F3). */
  readonly css: string;
};

export type PortalBuild = PortalModule & {
  readonly entry: string;
  filesOf(module: string): ScreenFiles;
};

const ENTRY = 'src/portal/entry-client.tsx';

/** Loads the built portal: the server-side bundle and the manifest of the browser's files. */
export async function loadPortalBuild(directory: string): Promise<PortalBuild> {
  const client = join(directory, 'client');
  const manifest = JSON.parse(
    readFileSync(join(client, '.vite/manifest.json'), 'utf8'),
  ) as Manifest;
  const url = pathToFileURL(join(directory, 'server/entry-server.js')).href;
  const portal = (await import(url)) as PortalModule;
  const known = new Map<string, ScreenFiles>();

  const read = (module: string): ScreenFiles => {
    const scripts = new Set<string>();
    const stylesheets = new Set<string>();
    const visit = (key: string): void => {
      const chunk = manifest[key];
      if (!chunk || scripts.has(chunk.file)) return;
      scripts.add(chunk.file);
      chunk.imports?.forEach(visit);
      for (const file of chunk.css ?? []) stylesheets.add(file);
    };
    visit(ENTRY);
    visit(module);
    const texts = [...stylesheets].map((file) => readFileSync(join(client, file), 'utf8'));
    return { scripts: [...scripts], stylesheets: [...stylesheets], css: texts.join('\n') };
  };

  return {
    ...pick(portal),
    entry: manifest[ENTRY]?.file ?? '',
    filesOf(module) {
      const files = known.get(module) ?? read(module);
      known.set(module, files);
      return files;
    },
  };
}

function pick({ render, earlySource, sprite, fontUrl, themeCss }: PortalModule): PortalModule {
  return { render, earlySource, sprite, fontUrl, themeCss };
}
