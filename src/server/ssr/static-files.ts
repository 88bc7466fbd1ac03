import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** What lies at `/logos/`: pictures with their types. */
export type FindLogo = (file: string) => { readonly bytes: Buffer; readonly type: string } | null;

const LOGO_SECONDS = 3600;
/** For the few pages without the portal's frame: the same colours and sizes, in one small file. */
const PLAIN_CSS = `
:root { color-scheme: light dark; }
body { max-width: 44rem; margin: 0 auto; padding: clamp(1rem, 6vh, 4rem) 1.25rem; background: light-dark(#f5f6f2, #0d191c); color: light-dark(#12262a, #f3f1e8); font: 1.125rem/1.5 system-ui, sans-serif; }
body::before { content: ''; display: block; width: 48px; height: 48px; margin: 0 0 16px -5px; background: url(/logos/porchlight.svg) center / contain no-repeat; }
h1 { margin: 0 0 1rem; font-size: clamp(2rem, 1.6rem + 1.6vw, 2.56rem); line-height: 1.12; letter-spacing: -0.022em; text-wrap: balance; }
h2 { margin: 0 0 0.5rem; font-size: 1.2rem; line-height: 1.3; }
p { margin: 0 0 1rem; }
form { margin-bottom: 1.5rem; }
a, button { display: inline-flex; align-items: center; min-height: 48px; color: light-dark(#0b4a52, #93d5cf); font-weight: 600; text-decoration-thickness: 2px; text-underline-offset: 4px; }
button, input { box-sizing: border-box; min-height: 56px; padding: 0 1rem; border: 2px solid light-dark(#5a6c70, #8fa5a8); border-radius: 12px; background: light-dark(#fff, #14252a); font: inherit; }
button { border-color: transparent; background: light-dark(#0b4a52, #93d5cf); color: light-dark(#fff, #06282c); cursor: pointer; }
input { display: block; width: 100%; margin: 6px 0 12px; color: inherit; }
:focus-visible { outline: 3px solid light-dark(#12262a, #f3f1e8); outline-offset: 2px; box-shadow: 0 0 0 8px #ffc24d; }
iframe { border: 1px solid light-dark(#cdd5d1, #2e4348); border-radius: 12px; background: light-dark(#fff, #0d191c); }
article { padding: 1rem 0; border-top: 1px solid light-dark(#cdd5d1, #2e4348); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; font: inherit; }
dl { margin: 1.5rem 0; padding: 0.25rem 1.25rem; border: 1px solid light-dark(#cdd5d1, #2e4348); border-radius: 20px; background: light-dark(#fff, #14252a); }
dt { padding-top: 0.75rem; font-weight: 650; }
dd { margin: 0; padding-bottom: 0.75rem; border-bottom: 1px solid light-dark(#cdd5d1, #2e4348); overflow-wrap: anywhere; }
dd:last-child { border: 0; }
@media (forced-colors: active) { button { border-color: ButtonText; } }
`;

/** Built files (their names change with their content) and logos. */
export async function installStaticFiles(
  app: FastifyInstance,
  { client, findLogo }: { readonly client: string; readonly findLogo: FindLogo },
): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(client, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    decorateReply: false,
    cacheControl: true,
  });
  installLogos(app, findLogo);
  app.get('/plain.css', { schema: { hide: true } }, (_request, reply) =>
    reply
      .type('text/css; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(PLAIN_CSS),
  );
}

function installLogos(app: FastifyInstance, findLogo: FindLogo): void {
  // Browsers ask for it on the plain pages, which name no icon.
  app.get('/favicon.ico', { schema: { hide: true } }, (_request, reply) =>
    reply.redirect('/logos/porchlight.svg', 301),
  );
  app.get('/logos/:file', { schema: { hide: true } }, (request, reply) => {
    const { file } = request.params as { file: string };
    const logo = findLogo(file);
    if (!logo) return reply.callNotFound();
    // Even opened by itself a logo runs nothing (security D21).
    return (
      reply
        .type(logo.type)
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        // A mail shows it inside somebody else's page.
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('cache-control', `public, max-age=${LOGO_SECONDS}`)
        .send(logo.bytes)
    );
  });
}
