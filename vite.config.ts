import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** What nearly every screen draws with. As one file: cut into a dozen it would weigh a tenth more, and ask a dozen times. */
const SHARED =
  /rolldown\/runtime|\/node_modules\/(?:react|react-dom|scheduler)\/|\/src\/(?:portal\/(?:ui\/(?:alert|button|checkbox|error-summary|field|link-row|note|page-heading|password-field|pill|text-field|normalize)\.|lib\/form|flow\/(?:form-problem|link|offline-note|say)\.)|domain\/validation\.|locales\/(?:fill|en\/(?:fields|problems|ui))\.)/;

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
  plugins: [react(), plainImports],
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
        output: { codeSplitting: { groups: [{ name: 'shared', test: SHARED }] } },
      }),
    },
  },
  // React is a devDependency: the server-side bundle carries its own copy.
  ssr: { noExternal: true },
}));
