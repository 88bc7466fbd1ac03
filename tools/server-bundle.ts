// The server and the command line in a few files beside the portal's: dist/server/main.js and cli.js (decision 134).
import path from 'node:path';
import { build, type LogLevel, type Plugin } from 'vite';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Programs of a machine, an embedded database with files of its own, and what pg would take if somebody had installed it. */
const NOT_BUNDLED = ['@node-rs/argon2', '@node-rs/bcrypt', '@electric-sql/pglite', 'pg-native'];

/**
 * @param output the directory of the files, beside others that stay
 * @param place where that directory will be: sources find their own files (migrations, logos, schemas) from there
 */
export async function bundleServer(
  output: string,
  place: string,
  logLevel: LogLevel,
): Promise<void> {
  await build({
    configFile: false,
    root: ROOT,
    logLevel,
    publicDir: false,
    plugins: [placesOfSources(place)],
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
        // All beside each other, as `place` says.
        output: { chunkFileNames: '[name]-[hash].js' },
        // Packages that name a function anew (depd), and what is loaded late from one place and at once from another.
        checks: { pluginTimings: false, ineffectiveDynamicImport: false, eval: false },
      },
    },
  });
}

/** A source that asks where it lies is told so, wherever its bundle lies. */
function placesOfSources(place: string): Plugin {
  return {
    name: 'porchlight:places-of-sources',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(path.join(ROOT, 'src/')) || !code.includes('import.meta.')) return null;
      const source = path.relative(place, id);
      return code
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(source)}, import.meta.url).href`)
        .replaceAll(
          'import.meta.dirname',
          `(import.meta.dirname + ${JSON.stringify(`/${path.dirname(source)}`)})`,
        );
    },
  };
}
