import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Nearly every screen draws with these modules. As one chunk: a dozen would weigh a tenth more, and need as many requests. */
const SHARED_MODULES = [
  'src/domain/validation.ts',
  'src/locales/fill.ts',
  'src/locales/en/fields.ts',
  'src/locales/en/problems.ts',
  'src/locales/en/ui.ts',
  'src/portal/flow/form-problem.tsx',
  'src/portal/flow/link.ts',
  'src/portal/flow/offline-note.tsx',
  'src/portal/flow/say.ts',
  'src/portal/lib/form.ts',
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
  'src/portal/ui/text-field.tsx',
].map((file) => path.join(import.meta.dirname, file));
const SHARED_PACKAGES = /rolldown\/runtime|\/node_modules\/(?:react|react-dom|scheduler)\//;

function isShared(id: string): boolean {
  return SHARED_PACKAGES.test(id) || SHARED_MODULES.includes(id);
}

/** Fails the build when a shared module was renamed or removed: without its entry here, its chunk would grow unseen. */
const checkSharedModules: Plugin = {
  name: 'porchlight:shared-modules',
  apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
    const found = new Set(chunks.find(({ name }) => name === 'shared')?.moduleIds);
    const missing = SHARED_MODULES.filter((file) => !found.has(file));
    if (missing.length > 0) this.error(`Not in the shared chunk: ${missing.join(', ')}`);
  },
};

/** Pinned here and not left to the bundler: an update of Vite must not drop somebody's tablet. */
const OLDEST_BROWSERS = ['safari14', 'ios14', 'chrome87', 'edge88', 'firefox78'];

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

export default defineConfig(({ mode, isSsrBuild }) => ({
  // There is no index.html: the server writes every page from the server-side bundle.
  appType: 'custom',
  publicDir: false,
  plugins: [react(), plainImports, checkSharedModules],
  css: {
    modules: {
      // Both bundles must agree on the names; the hash depends on the path and the class alone.
      generateScopedName: mode === 'production' ? 'p[hash:base64:5]' : '[name]_[local]',
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
      checks: { pluginTimings: false },
      input: isSsrBuild ? 'src/portal/entry-server.tsx' : 'src/portal/entry-client.tsx',
      ...(!isSsrBuild && {
        output: { codeSplitting: { groups: [{ name: 'shared', test: isShared }] } },
      }),
    },
  },
  // React is a devDependency: the server-side bundle carries its own copy.
  ssr: { noExternal: true },
}));
