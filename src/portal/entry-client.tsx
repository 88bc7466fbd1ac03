// Fetched by the page itself (pre-hydration.ts), which inlines only the icons of its screen.
import './assets/icons.svg?url';
import './assets/fonts/atkinson-latin-wght.woff2?url';
import './styles/tokens.css';
import './styles/base.css';
import { hydrateRoot } from 'react-dom/client';
import { App } from './app.tsx';
import type { Boot } from '#contract/boot.ts';
import { createAppContext } from './flow/app-context.ts';
import { loadScreen } from './screens/screens.ts';

/** Hydrates the page that the server rendered. */
async function hydrate(): Promise<void> {
  const root = document.getElementById('root');
  const boot = JSON.parse(document.getElementById('boot')?.textContent ?? '') as Boot;
  if (!root) return;
  const { pathname: path, search } = location;
  const module = await loadScreen(boot.screen);
  const context = createAppContext({
    boot,
    place: { path, search },
    module,
    load: loadScreen,
    origin: location.origin,
  });
  hydrateRoot(root, <App context={context} />);
}

void hydrate();
