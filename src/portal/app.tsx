import { useEffect } from 'react';
import type { Boot } from '#contract/boot.ts';
import { type Screen, SCREENS } from '#domain/flow/screens.ts';
import {
  type AppContextValue,
  AppContext,
  useDoor,
  useSubtenant,
  useView,
} from './flow/app-context.ts';
import { startApp } from './flow/start-app.ts';
import type { View } from './flow/view.ts';
import { Shell } from './shell/shell.tsx';

/** Renders the whole portal: the frame and the current screen. */
export function App({ context }: { context: AppContextValue }) {
  useEffect(() => {
    window.porchlightHydrated = true;
    const stop = startApp(context);
    for (const pressed of window.porchlightHeldPresses?.splice(0) ?? []) {
      pressed.closest('form')?.removeAttribute('aria-busy');
      pressed.click();
    }
    return stop;
  }, [context]);
  return (
    <AppContext value={context}>
      <Page boot={context.boot} />
    </AppContext>
  );
}

function Page({ boot }: { readonly boot: Boot }) {
  const { settings, hours } = boot;
  const subtenant = useSubtenant();
  const view = useView();
  const door = useDoor();
  const { View: Screen } = view.module;
  const title = windowTitle(view, boot, subtenant.name);
  useEffect(() => {
    document.title = title;
  }, [title, view.id]);
  return (
    <Shell
      screenKey={view.id}
      subtenant={subtenant}
      aside={asideOf(view, boot)}
      asideSide={settings.mainImageMode === 2 ? 'start' : 'end'}
      isLit={hours?.isOpen !== false}
      door={door}
      thing={door === 'half' || door === 'shut' ? view.module.thing : undefined}
      hasCrown={view.screen !== 'verifyOtp' && !boot.sharedUse}
    >
      <Screen key={view.id} />
    </Shell>
  );
}

/** Returns the window's title of a screen. */
export function windowTitle(
  view: Pick<View, 'module' | 'entrance' | 'visit' | 'search'>,
  boot: Pick<Boot, 'refusal' | 'organisation'>,
  subtenant: string,
): string {
  return `${view.module.title({ ...boot, ...view })} – ${subtenant}`;
}

/**
 * Selects the side panel (GEN-08): none on a configured list of paths and in main-image mode 3; no news on the screens
 * of a journey's step.
 */
function asideOf({ screen, path, module, visit }: View, boot: Boot) {
  const { settings, sharedUse } = boot;
  const { mainImageMode, fullWidthPaths } = settings;
  const isListed = fullWidthPaths.some((listed) => listed.toLowerCase() === path.toLowerCase());
  if (mainImageMode === 3 || isListed) return null;
  const { hasBanner = false }: Screen = SCREENS[screen];
  if (!hasBanner) return module.panel?.({ ...boot, visit }) ?? null;
  return sharedUse ? { ...sharedUse.panel, isNear: true as const } : 'news';
}
