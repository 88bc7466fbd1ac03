import { useEffect } from 'react';
import { SCREENS } from '#domain/screens.ts';
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

/** The whole portal: the frame and the current screen. */
export function App({ context }: { context: AppContextValue }) {
  useEffect(() => {
    window.porchlightHydrated = true;
    const stop = startApp(context);
    for (const pressed of window.porchlightHeldPresses?.splice(0) ?? []) pressed.click();
    return stop;
  }, [context]);
  return (
    <AppContext value={context}>
      <Page settings={context.boot.settings} />
    </AppContext>
  );
}

function Page({ settings }: Pick<AppContextValue['boot'], 'settings'>) {
  const subtenant = useSubtenant();
  const view = useView();
  const door = useDoor();
  const { View: Screen } = view.module;
  const title = titleOf(view, subtenant.name);
  useEffect(() => {
    document.title = title;
  }, [title, view.id]);
  return (
    <Shell
      subtenant={subtenant}
      layout={isFullWidth(view, settings) ? 'full' : 'banner'}
      door={door}
      hasCrown={view.screen !== 'verifyOtp'}
      bannerSide={settings.mainImageMode === 2 ? 'start' : 'end'}
    >
      <Screen key={view.id} />
    </Shell>
  );
}

export function titleOf(
  view: Pick<View, 'module' | 'entryPoint' | 'visit' | 'search'>,
  subtenant: string,
): string {
  return `${view.module.title(view)} – ${subtenant}`;
}

/** GEN-08: a configured list of paths, main-image mode 3, and the screens that are a step of their own. */
function isFullWidth({ screen, path }: View, { mainImageMode, fullWidthPaths }: Settings): boolean {
  const isListed = fullWidthPaths.some((listed) => listed.toLowerCase() === path.toLowerCase());
  return SCREENS[screen].isFullWidth || mainImageMode === 3 || isListed;
}

type Settings = AppContextValue['boot']['settings'];
