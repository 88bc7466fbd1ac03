// The server and the command line in a few files beside the portal's: dist/server/main.js and cli.js (decision 134).
import path from 'node:path';
import { build, type LogLevel } from 'vite';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Programs of a machine, an embedded database with files of its own, and what pg would take if somebody had installed it. */
const NOT_BUNDLED = ['@node-rs/argon2', '@node-rs/bcrypt', '@electric-sql/pglite', 'pg-native'];

/** @param output the directory of the files, beside others that stay */
export async function bundleServer(output: string, logLevel: LogLevel): Promise<void> {
  await build({
    configFile: false,
    root: ROOT,
    logLevel,
    publicDir: false,
    ssr: { noExternal: true, external: NOT_BUNDLED },
    build: {
      ssr: true,
      target: 'node24',
      outDir: output,
      emptyOutDir: false,
      // A stack trace names functions and lines that can be read.
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: { main: 'src/server/main.ts', cli: 'src/cli/main.ts' },
        output: { chunkFileNames: '[name]-[hash].js' },
        // Packages that name a function anew (depd), and what is loaded late from one place and at once from another.
        checks: { pluginTimings: false, ineffectiveDynamicImport: false, eval: false },
      },
    },
  });
}
