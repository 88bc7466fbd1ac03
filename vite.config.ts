import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import {
  type ConfigEnv,
  defineConfig,
  minifySync,
  type Plugin,
  transformWithOxc,
  type UserConfig,
} from 'vite';
import { type Language, ORIGINAL } from './src/locales/languages.ts';
import { textsFile, textsIn } from './tools/texts-plugin.ts';

const fromHere = (file: string) => path.join(import.meta.dirname, file);

/** Nearly every screen draws with these modules. As one chunk: a dozen would weigh a tenth more, and need as many requests. */
const SHARED_MODULES = [
  'src/domain/text/duration.ts',
  'src/domain/typed/validation.ts',
  'src/locales/fill.ts',
  'src/portal/flow/form-problem.tsx',
  'src/portal/flow/languages.tsx',
  'src/portal/flow/late.tsx',
  'src/portal/flow/link.ts',
  'src/portal/flow/offline-note.tsx',
  'src/portal/flow/page-problem.tsx',
  'src/portal/flow/problem-of.ts',
  'src/portal/flow/say.ts',
  'src/portal/flow/step-line.tsx',
  'src/portal/lib/form.ts',
  'src/portal/lib/time-words.ts',
  'src/portal/lib/typed-email.ts',
  'src/portal/ui/alert.tsx',
  'src/portal/ui/button.tsx',
  'src/portal/ui/checkbox.tsx',
  'src/portal/ui/error-summary.tsx',
  'src/portal/ui/field.tsx',
  'src/portal/ui/link-row.tsx',
  'src/portal/ui/normalize.ts',
  'src/portal/ui/note.tsx',
  'src/portal/ui/page-heading.tsx',
  'src/portal/ui/password-field.tsx',
  'src/portal/ui/pill.tsx',
  'src/portal/ui/show-toast.ts',
  'src/portal/ui/text-field.tsx',
  'src/portal/ui/with-addresses.tsx',
].map(fromHere);
/** Texts that nearly every screen has. */
const SHARED_TEXTS = ['fields.ts', 'passwords.ts', 'problems.ts', 'ui.ts'];
const SHARED_PACKAGES =
  /rolldown\/runtime|vite\/preload-helper|\/node_modules\/(?:react|react-dom|scheduler)\//;

/** What every page draws anyway: beside the rest it packs better than in a file of its own. */
const SHELL =
  /\/src\/portal\/(?:app\.tsx|entry-client\.tsx|shell\/(?!display-panel|read-aloud)|screens\/screens\.ts|flow\/start-app|flow\/bearer|ui\/(?:porch|toast-slot|skip-link))/;

/**
 * Small modules that several screens share, by the name of their chunk, and texts by their subject. Alone each would be a
 * request; more together would weigh on screens that need only one.
 */
const SMALL_CHUNKS: Readonly<
  Record<string, { readonly modules: readonly string[]; readonly texts: readonly string[] }>
> = {
  links: {
    modules: [
      'src/portal/flow/checking.tsx',
      'src/portal/lib/captcha.ts',
      'src/portal/lib/link-body.ts',
    ],
    texts: ['captcha.ts'],
  },
  draft: {
    modules: ['src/portal/flow/history-state.ts', 'src/portal/flow/sign-up-draft.ts'],
    texts: [],
  },
  credentials: {
    modules: [
      'src/domain/proofs/new-password.ts',
      'src/domain/proofs/password-policy.ts',
      'src/portal/ui/email-field.tsx',
      'src/portal/ui/hidden-user-name.tsx',
      'src/portal/ui/password-pair.tsx',
      'src/portal/ui/stack.tsx',
    ],
    texts: ['new-password.ts'],
  },
  choices: {
    modules: ['src/domain/people/survey.ts', 'src/portal/ui/option-cards.tsx'],
    texts: ['survey.ts'],
  },
  codes: { modules: ['src/portal/ui/otp-boxes.tsx'], texts: ['otp.ts'] },
  account: { modules: ['src/portal/flow/account.tsx'], texts: ['my-account.ts'] },
};

const isShared = (shared: readonly string[]) => (id: string) =>
  SHARED_PACKAGES.test(id) || shared.includes(id) || SHELL.test(id);

/** Fails the build when a module of a chunk was renamed or removed: without its entry here, it would be a request again. */
const checkChunks = (chunks: readonly (readonly string[])[]): Plugin => ({
  name: 'porchlight:chunks',
  apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
  generateBundle(_options, bundle) {
    const built = Object.values(bundle).flatMap((output) =>
      output.type === 'chunk' ? [new Set(output.moduleIds)] : [],
    );
    for (const files of chunks) {
      const found = built.find((ids) => ids.has(files[0] ?? ''));
      const missing = files.filter((file) => !found?.has(file));
      if (missing.length > 0)
        this.error(`Not in one chunk with ${files[0]}: ${missing.join(', ')}`);
    }
  },
});

/** Pinned here and not left to the bundler: an update of Vite must not drop somebody's tablet. Chrome and Edge before 91 have
 * an error in `?.` that would cost every visit 0.3 KiB to avoid; no device had to stop between 87 and 91. */
const OLDEST_BROWSERS = ['safari14', 'ios14', 'chrome91', 'edge91', 'firefox78'];

/** Safari has lookbehind since 16.4, and no bundler can lower it: one such pattern ends the whole script there. */
const refuseLookbehind: Plugin = {
  name: 'porchlight:lookbehind',
  apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
  generateBundle(_options, bundle) {
    for (const output of Object.values(bundle)) {
      const [found] = (output.type === 'chunk' && /.{30}\(\?<[=!].{30}/s.exec(output.code)) || [];
      if (found) this.error(`Lookbehind in ${output.fileName}: ${found}`);
    }
  },
};

/**
 * Vite's loader of dynamic imports waits for style sheets and preloads that this build does not have (one style sheet,
 * inlined; no preload lists). Without it an import is an import, and every visit is 0.5 KiB lighter.
 */
const plainImports: Plugin = {
  name: 'porchlight:plain-imports',
  apply: 'build',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : null,
};

/**
 * The server writes this one function into its pages, by `toString()`, which a text has as well: minified here, and lowered
 * to what OLDEST_BROWSERS know, for it passes no bundler of the browser's.
 */
const minifyInlineScript: Plugin = {
  name: 'porchlight:inline-script',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'ssr',
  async load(id) {
    if (id !== path.join(import.meta.dirname, 'src/portal/pre-hydration.ts')) return null;
    const { code } = await transformWithOxc(readFileSync(id, 'utf8'), id, { target: 'es2020' });
    const [, lone = ''] = /export (function[^]*\n\})/.exec(code) ?? [];
    // Called, or the minifier would find that nobody needs it.
    const called = minifySync('inline.js', `(${lone})(INPUT)`, { compress: { target: 'es2020' } });
    const text = called.code.slice(1, called.code.lastIndexOf(')(INPUT)'));
    if (!text.startsWith('function')) this.error(`${id} is no longer one function.`);
    return `export const installPreHydration = ${JSON.stringify(text)};`;
  },
};

/**
 * The shortest names that both bundles agree on: `a0`, `b0`, … in the order of the files. A hash in each of them would
 * be a fifth of the style sheet. The digit keeps them off the lists of advertisement blockers.
 */
function shortNames(): (name: string, file: string) => string {
  // The portal's first: they stay the shortest, and the console's pages have both.
  const files = ['src/portal', 'src/console'].flatMap((room) =>
    readdirSync(fromHere(room), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.module.css'))
      .toSorted()
      .map((file) => path.join(fromHere(room), file)),
  );
  const known = new Map<string, string>();
  for (const whole of files) {
    for (const [, name] of readFileSync(whole, 'utf8').matchAll(/(?:\.|@keyframes )([a-z]\w*)/gi)) {
      const letter = String.fromCharCode(97 + (known.size % 26));
      const key = `${whole} ${name}`;
      if (!known.has(key)) known.set(key, `${letter}${Math.floor(known.size / 26).toString(36)}`);
    }
  }
  return (name, file) => {
    const short = known.get(`${file.split('?')[0]} ${name}`);
    if (!short) throw new Error(`No short name for .${name} of ${file}`);
    return short;
  };
}

/** Staff read the console in English. */
const serverEntries = (language: Language) => [
  'src/portal/entry-server.tsx',
  ...(language === ORIGINAL ? ['src/console/entry-console.tsx'] : []),
];

/** Returns the configuration of the portal in one language: each has a build of its own (decision 200). */
export const portalConfig = (
  language: Language,
  { mode, isSsrBuild }: Pick<ConfigEnv, 'mode' | 'isSsrBuild'>,
): UserConfig => {
  const filesOf = (modules: readonly string[], texts: readonly string[]) => [
    ...modules,
    ...texts.map((subject) => textsFile(language, subject)),
  ];
  const shared = filesOf(SHARED_MODULES, SHARED_TEXTS);
  const small = Object.entries(SMALL_CHUNKS).map(([name, { modules, texts }]) => ({
    name,
    files: filesOf(modules.map(fromHere), texts),
  }));
  return {
    // There is no index.html: the server writes every page from the server-side bundle.
    appType: 'custom',
    publicDir: false,
    plugins: [
      react(),
      plainImports,
      minifyInlineScript,
      checkChunks([shared, ...small.map(({ files }) => files)]),
      refuseLookbehind,
      ...(language === ORIGINAL ? [] : [textsIn(language)]),
    ],
    define: {
      // Only pages in other languages name theirs to the server: an English one is not a byte longer.
      'import.meta.env.LANGUAGE': JSON.stringify(language === ORIGINAL ? '' : language),
      // Left to the server's start, each flavour of React would be in its bundle.
      ...(mode === 'production' && isSsrBuild && { 'process.env.NODE_ENV': '"production"' }),
    },
    css: {
      modules: {
        // Both bundles must agree on the names; the hash depends on the path and the class alone.
        generateScopedName: mode === 'production' ? shortNames() : '[name]_[local]',
      },
    },
    build: {
      target: isSsrBuild ? 'node24' : OLDEST_BROWSERS,
      manifest: !isSsrBuild,
      copyPublicDir: false,
      reportCompressedSize: false,
      assetsDir: 'assets',
      // A data: URI would need the same word in the content security policy.
      assetsInlineLimit: 0,
      // All styles weigh little more than one view's, and the server inlines them: no screen waits for its own.
      cssCodeSplit: false,
      // The page preloads its modules itself. Lists of what to preload for other screens would weigh on every visit.
      modulePreload: false,
      rolldownOptions: {
        // How long a plugin took tells a newcomer nothing.
        // Nor does it matter on the server what is loaded late: there everything is one process.
        checks: { pluginTimings: false, ineffectiveDynamicImport: !isSsrBuild },
        // A constant of another module is a number where it is used, so a shared name costs a page nothing.
        optimization: { inlineConst: { mode: 'all', pass: 3 } },
        input: isSsrBuild ? serverEntries(language) : 'src/portal/entry-client.tsx',
        ...(!isSsrBuild && {
          output: {
            codeSplitting: {
              // The first group that asks for a module has it.
              groups: [
                { name: 'shared', test: isShared(shared) },
                ...small.map(({ name, files }) => ({
                  name,
                  test: (id: string) => files.includes(id),
                })),
              ],
            },
          },
        }),
      },
    },
    // React is a devDependency: the server-side bundle carries its own copy.
    ssr: { noExternal: true },
  };
};

export default defineConfig((env) => portalConfig(ORIGINAL, env));
