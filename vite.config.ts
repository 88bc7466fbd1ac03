import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Pinned here and not left to the bundler: an update of Vite must not drop somebody's tablet. */
const OLDEST_BROWSERS = ['safari14', 'ios14', 'chrome87', 'edge88', 'firefox78'];

export default defineConfig(({ mode, isSsrBuild }) => ({
  // There is no index.html: the server writes every page from the server-side bundle.
  appType: 'custom',
  publicDir: false,
  plugins: [react()],
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
    // The polyfill is an inline script in every entry, for browsers that do well without preload.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: isSsrBuild ? 'src/portal/entry-server.tsx' : 'src/portal/entry-client.tsx',
    },
  },
  // React is a devDependency: the server-side bundle carries its own copy.
  ssr: { noExternal: true },
}));
