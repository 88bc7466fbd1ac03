// Draws src/server/notifications/porch.png, the porch of mails, from the portal's own drawing:
// npm exec -- node tools/draw-mail-porch.ts, after a change of src/portal/assets/icons.svg.
import { readFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium } from './chromium.ts';

const parts = readFileSync(new URL('../src/portal/assets/icons.svg', import.meta.url), 'utf8');
const target = new URL('../src/server/notifications/porch.png', import.meta.url);

/** Its width and height in a mail, in CSS pixels; the file has twice as many. */
const [WIDTH, HEIGHT] = [288, 120];

/**
 * The door stands wide open. The arches are light on whatever lies below: the mail gives the ground the colour of its
 * subtenant, so one picture serves every accent, by day and by night.
 */
const page = `<!doctype html><style>
  * { margin: 0 }
  :root {
    --arch-1: #ffffff14; --arch-2: #ffffff1c; --arch-3: #ffffff24; --arch-4: #ffffff2e; --star: none;
    --frame: #00000073; --iron: #d9e6df; --step-1: #d3e2db; --step-2: #93b5ae; --lit: 1; --seam: 0;
    --halo-1: .18; --halo-2: .3; --leaf: #b84d33; --inset: #e58a6c; --knob: #ffe0a0; --pot: #c9573b; --rim: #e07a5a;
    --green-1: #5fb39b; --green-2: #7cc7a8; --green-3: #3f9784;
  }
  .visually-hidden { position: absolute; width: 0; height: 0 }
  .leaf, .edge, .knob { transform-origin: 222px 0 }
  .leaf { transform: matrix(-0.46, 0.06, 0, 1, 0, 0) }
  .edge { transform: translateX(-5px) matrix(-0.46, 0.06, 0, 1, 0, 0) }
  .knob { transform: translate(-66px, 9px) }
  .cat { transform: translateX(-46px) }
</style>${parts}<svg width="${WIDTH}" height="${HEIGHT}" viewBox="-182 124 960 400" style="display:block">
  ${['wing', 'arches', 'lamp', 'plant', 'doorway', 'spill'].map((name) => `<use href="#p-${name}"/>`).join('')}
  <use href="#p-edge" class="edge"/><use href="#p-leaf" class="leaf"/><use href="#p-knob" class="knob"/>
  <use href="#p-awake" class="cat"/>
</svg>`;

const browser = await chromium.launch({
  executablePath: await findChromium(AbortSignal.timeout(60_000)),
  args: CHROMIUM_ARGS,
});
const tab = await browser.newPage({
  viewport: { width: WIDTH, height: HEIGHT },
  deviceScaleFactor: 2,
});
await tab.setContent(page);
await tab.screenshot({ path: target.pathname, omitBackground: true });
await browser.close();
