import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const LOGO_SECONDS = 3600;
const PLAIN_CSS =
  ':root{color-scheme:light dark}body{background:light-dark(#f5f6f2,#0d191c);color:light-dark(#12262a,#f3f1e8);max-width:44rem;margin:0 auto;padding:2rem 1.25rem;font:1.125rem/1.5 system-ui,sans-serif}a,button,input{font:inherit;min-height:2.75rem}a{display:inline-block;padding:.5rem 0;color:light-dark(#0b4a52,#93d5cf)}:focus-visible{outline:3px solid;outline-offset:2px}h1{line-height:1.15}article{border-top:1px solid;padding:1rem 0}pre{white-space:pre-wrap;overflow-wrap:anywhere}iframe{border:1px solid;border-radius:.5rem;background:light-dark(#fff,#0d191c)}dt{font-weight:700}dd{margin:0 0 .75rem;overflow-wrap:anywhere}';

/** Built files (their names change with their content) and logos. */
export async function installStaticFiles(
  app: FastifyInstance,
  directories: { readonly client: string; readonly portalAssets: string },
): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(directories.client, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    decorateReply: false,
    cacheControl: true,
  });
  installLogos(app, directories.portalAssets);
  app.get('/plain.css', { schema: { hide: true } }, (_request, reply) =>
    reply
      .type('text/css; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(PLAIN_CSS),
  );
}

function installLogos(app: FastifyInstance, assets: string): void {
  const logos = new Map<string, string>();
  const subtenants = join(assets, 'subtenants');
  if (existsSync(subtenants)) {
    for (const file of readdirSync(subtenants)) {
      logos.set(file, readFileSync(join(subtenants, file), 'utf8'));
    }
  }
  logos.set('porchlight.svg', readFileSync(join(assets, 'mark.svg'), 'utf8'));
  // Browsers ask for it on the plain pages, which name no icon.
  app.get('/favicon.ico', { schema: { hide: true } }, (_request, reply) =>
    reply.redirect('/logos/porchlight.svg', 301),
  );
  app.get('/logos/:file', { schema: { hide: true } }, (request, reply) => {
    const { file } = request.params as { file: string };
    const logo = logos.get(file);
    if (!logo) return reply.callNotFound();
    // Even opened by itself a logo runs nothing (security D21).
    return (
      reply
        .type('image/svg+xml')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        // A mail shows it inside somebody else's page.
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('cache-control', `public, max-age=${LOGO_SECONDS}`)
        .send(logo)
    );
  });
}
