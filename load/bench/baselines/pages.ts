// The pages that ours are compared with, served the way the real server serves: one process,
// compressed beforehand. A baseline is what nobody can be faster than with that technique.
import { once } from 'node:events';
import { createServer } from 'node:http';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, type Rollup } from 'vite';
import { ROOT } from '../../../tools/processes.ts';

const HEAD = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sign in</title>';
const FORM =
  '<main><h1>Sign in</h1><form method="post"><label for="email">Email</label>' +
  '<input id="email" type="email" autoComplete="username" name="email"/>' +
  '<button type="submit">Next</button></form></main>';
const PLAIN = `${HEAD}</head><body>${FORM}</body></html>`;
const reactPage = (drawn: string) =>
  `${HEAD}<script type="module" src="/react.js"></script></head><body><div id="root">${drawn}</div></body></html>`;

export type Baselines = {
  plain: string;
  /** React in the browser. */
  react: string;
  /** React, prerendered. */
  prerendered: string;
  stop: () => void;
};

export async function serveBaselines(): Promise<Baselines> {
  const files = new Map([
    ['/plain', ['text/html', brotliCompressSync(PLAIN)] as const],
    ['/react', ['text/html', brotliCompressSync(reactPage(''))] as const],
    ['/prerendered', ['text/html', brotliCompressSync(reactPage(FORM))] as const],
    ['/react.js', ['text/javascript', brotliCompressSync(await reactBundle())] as const],
  ]);
  const server = createServer((request, response) => {
    const [type, body] = files.get(request.url ?? '') ?? [];
    if (!type) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': type, 'content-encoding': 'br' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The baselines have no address.');
  const url = `http://127.0.0.1:${address.port}`;
  return {
    plain: `${url}/plain`,
    react: `${url}/react`,
    prerendered: `${url}/prerendered`,
    stop: () => void server.close(),
  };
}

async function reactBundle(): Promise<string> {
  process.env.NODE_ENV = 'production';
  const result = (await build({
    root: ROOT,
    // The portal's own way of splitting would leave React in a file that nobody serves here.
    configFile: false,
    plugins: [react()],
    logLevel: 'warn',
    build: {
      write: false,
      rolldownOptions: { input: path.join(import.meta.dirname, 'react.tsx') },
    },
  })) as Rollup.RollupOutput;
  const entry = result.output.find((chunk) => chunk.type === 'chunk' && chunk.isEntry);
  if (entry?.type !== 'chunk') throw new Error('The React baseline was not built.');
  return entry.code;
}
