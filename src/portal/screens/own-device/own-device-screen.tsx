import { ownDevice as t } from '#texts/shared-device.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { HelpLines } from '../../flow/help-lines.tsx';
import { MessagePage } from '../../flow/message-page.tsx';
import type { ScreenModule } from '../../flow/view.ts';

/** Says that a way in is changed on a device of one's own, and whom to ask. */
function OwnDevice() {
  return (
    <MessagePage door="ajar" title={t.title} action={{ href: pathOf('myAccount'), label: t.back }}>
      <p>{t.text}</p>
      <p>
        <HelpLines />
      </p>
    </MessagePage>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: OwnDevice };
