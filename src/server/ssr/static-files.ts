import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type ScreenName, SCREENS } from '#domain/flow/screens.ts';
import { encodingFor } from './compress.ts';

/** What lies at `/logos/`: pictures with their types. */
type Logo = { readonly bytes: Buffer; readonly type: string };
export type FindLogo = (file: string) => Logo | null | Promise<Logo | null>;

const YEAR_SECONDS = 31_536_000;
const LOGO_SECONDS = 3600;
/** Of everything that the build makes; what is not here is not served. */
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml; charset=utf-8',
};
/** For the few pages without the portal's frame: the same typeface, colours and sizes, in one small file. */
const PLAIN_CSS = `
@font-face { font-family: Fallback; src: local('Arial'), local('Liberation Sans'), local('Helvetica Neue'), local('Roboto'); font-weight: 200 500; size-adjust: 98.5%; ascent-override: 99.5%; descent-override: 32.5%; line-gap-override: 0%; }
@font-face { font-family: Fallback; src: local('Arial Bold'), local('Liberation Sans Bold'), local('Helvetica Neue Bold'), local('Roboto Bold'); font-weight: 501 800; size-adjust: 99%; ascent-override: 99%; descent-override: 32.3%; line-gap-override: 0%; }
:root { color-scheme: light dark; --paper: light-dark(#f5f6f2, #0d191c); --surface: light-dark(#fff, #14252a); --ink: light-dark(#12262a, #f3f1e8); --ink-2: light-dark(#37494d, #c2cfcd); --border: light-dark(#5a6c70, #8fa5a8); --line: light-dark(#cdd5d1, #2e4348); --brand: light-dark(#0b4a52, #93d5cf); --on-brand: light-dark(#fff, #06282c); --sky: light-dark(#f5bf9b, #0a343b); --arch: light-dark(#fadcc6, #124e56); --ground: light-dark(#0b4a52, #072a30); }
* { box-sizing: border-box; }
html { font-size: 112.5%; }
body { margin: 0; padding: 0 1.25rem 3rem; background: var(--paper); color: var(--ink); font: 400 1rem/1.5 'Atkinson Hyperlegible Next', Fallback, system-ui, sans-serif; overflow-wrap: break-word; }
bdi { white-space: nowrap; }
/* The porch of the portal's phones, as far as a style sheet can draw it. */
body::before { content: ''; display: block; height: 110px; margin: 0 -1.25rem 1.5rem; border-bottom: 8px solid var(--ground); background: url(/logos/porchlight.svg) center bottom / 84px no-repeat, radial-gradient(circle at 50% 100%, var(--arch) 104px, transparent 105px), var(--sky); }
main { max-width: 44rem; margin: 0 auto; }
h1 { margin: 0 0 1rem; font-size: clamp(1.78rem, 1.38rem + 1.5vw, 2.56rem); font-weight: 750; line-height: 1.12; letter-spacing: -0.022em; text-wrap: balance; }
h2 { margin: 0 0 0.5rem; font-size: 1.17rem; line-height: 1.3; }
h3 { margin: 1.25rem 0 0.5rem; font-size: 1.06rem; }
p { margin: 0 0 1rem; }
form { margin-bottom: 1.5rem; }
ul { display: flex; flex-wrap: wrap; gap: 0 1.5rem; margin: 0 0 1rem; padding: 0; list-style: none; }
a, button { display: inline-flex; align-items: center; min-height: 48px; color: var(--brand); font-weight: 600; text-decoration-thickness: 2px; text-underline-offset: 4px; }
/* The lamp, where every page has it. */
.help { position: absolute; top: 16px; right: 20px; margin: 0; }
.help a { padding: 0 18px 0 40px; border: 2px solid var(--border); border-radius: 99px; background: radial-gradient(circle at 23px 50%, #ffc24d 7px, #ffc24d55 8px 14px, transparent 15px) var(--surface); color: var(--ink); font-weight: 650; text-decoration: none; }
a[aria-current] { color: inherit; text-decoration: none; }
button, input { min-height: 56px; padding: 0 1rem; border: 2px solid var(--border); border-radius: 12px; background: var(--surface); font: inherit; }
button { min-height: 60px; padding: 0 1.75rem; border-color: transparent; background: var(--brand); color: var(--on-brand); font-size: 1.17rem; font-weight: 650; cursor: pointer; }
label { font-weight: 650; }
input { display: block; width: 100%; margin: 6px 0 12px; color: inherit; font-weight: 400; }
:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; box-shadow: 0 0 0 8px #ffc24d; }
iframe { border: 1px solid var(--line); border-radius: 12px; background: light-dark(#fff, #0d191c); }
article, dl { margin: 0 0 1rem; padding: 1.25rem; border: 1px solid var(--line); border-radius: 20px; background: var(--surface); }
article p, dt { color: var(--ink-2); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; font: inherit; }
dl { padding-block: 0.25rem; }
dt { padding-top: 0.75rem; font-size: 0.95rem; }
dd { margin: 0; padding-bottom: 0.75rem; border-bottom: 1px solid var(--line); font-weight: 600; overflow-wrap: anywhere; }
dd:last-child { border: 0; }
@media (forced-colors: active) { button { border-color: ButtonText; } }
`;

/** The portal's typeface; the build gives its file a name by its content. */
function fontFace(assets: string): string {
  const file = readdirSync(assets).find((name) => /^atkinson.*-latin-wght.*\.woff2$/.test(name));
  if (!file) return '';
  return `@font-face { font-family: 'Atkinson Hyperlegible Next'; src: url(/assets/${file}) format('woff2'); font-weight: 400 750; font-display: swap; }`;
}

/** Built files (their names change with their content) and logos. */
export function installStaticFiles(
  app: FastifyInstance,
  { client, findLogo }: { readonly client: string; readonly findLogo: FindLogo },
): void {
  const assets = join(client, 'assets');
  const font = fontFace(assets);
  installAssets(app, assets);
  installLogos(app, findLogo);
  // `font.css` is for the portal's pages without script: the rest of their styles stands in them.
  const sheets = { '/plain.css': font + PLAIN_CSS, '/font.css': font };
  for (const [path, css] of Object.entries(sheets)) {
    app.get(path, (_request, reply) =>
      reply
        .type('text/css; charset=utf-8')
        .header('cache-control', 'public, max-age=3600')
        .send(css),
    );
  }
}

/** They are read once: no address of a request ever becomes a path. Packed copies lie beside them (`tools/build.ts`). */
function installAssets(app: FastifyInstance, directory: string): void {
  const files = new Map(
    readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map(({ name }) => [name, readFileSync(join(directory, name))]),
  );
  app.get('/assets/:file', (request, reply) => {
    const { file } = request.params as { file: string };
    const type = TYPES[extname(file)];
    const plain = files.get(file);
    if (!type || !plain) return reply.callNotFound();
    const encoding = encodingFor(request.headers['accept-encoding']);
    const packed = encoding && files.get(`${file}.${encoding === 'br' ? 'br' : 'gz'}`);
    const tag = packed ? `"${file}.${encoding}"` : `"${file}"`;
    reply
      .type(type)
      .header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`)
      .header('vary', 'accept-encoding')
      .header('etag', tag);
    if (request.headers['if-none-match'] === tag) return reply.status(304).send();
    if (packed) reply.header('content-encoding', encoding);
    return reply.send(packed ?? plain);
  });
}

/** The screens that search engines may list. */
export const INDEXED: readonly ScreenName[] = ['signIn', 'signUp', 'forgotPassword', 'help'];

/** Search engines find the doors and the help, and no page of a one-time link (its header says so, too). */
const ROBOTS = [
  'User-agent: *',
  ...INDEXED.flatMap((screen) => SCREENS[screen].paths.map((path) => `Allow: ${path}$`)),
  'Disallow: /',
  '',
].join('\n');

function installLogos(app: FastifyInstance, findLogo: FindLogo): void {
  // Browsers ask for it on the plain pages, which name no icon.
  app.get('/apple-touch-icon.png', (_, reply) => reply.redirect('/logos/porchlight.png', 301));
  app.get('/robots.txt', (_, reply) => reply.type('text/plain').send(ROBOTS));
  app.get('/favicon.ico', (_request, reply) => reply.redirect('/logos/porchlight.svg', 301));
  app.get('/logos/:file', async (request, reply) => {
    const { file } = request.params as { file: string };
    const logo = await findLogo(file);
    if (!logo) return reply.callNotFound();
    // Even opened by itself a logo runs nothing (security D21).
    return (
      reply
        .type(logo.type)
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        // A mail program shows it inside its own page.
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('cache-control', `public, max-age=${LOGO_SECONDS}`)
        .send(logo.bytes)
    );
  });
}
