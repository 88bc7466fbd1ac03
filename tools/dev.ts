// `npm run dev`: builds the portal for development and starts the server from its sources. Node's watch mode runs this
// file again when a file below src/ changes, once the old process has closed its database. It is the very server that
// production starts: a dev server with its own injected scripts would need a weaker content security policy than the one
// that ships (decision 015).
import { buildPortal } from './build.ts';

await buildPortal({ mode: 'development', logLevel: 'error' });
await import('../src/server/main.ts');
