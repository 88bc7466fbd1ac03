import { counterNext as t } from '#texts/shared-device.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { PorchPage, MessageText } from '../../flow/message-page.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './counter-next.module.css';

const TICKS = [t.signedOut, t.nothingKept, t.standard];

/** The clean start of the next person, after Finished or when the time was over. */
function CounterNext() {
  return (
    <PorchPage door="lamp" title={t.title}>
      <MessageText>
        <p>{t.text}</p>
      </MessageText>
      {/* A page load: the server begins to count. */}
      <a href={pathOf('signIn')} className={buttonClass('primary', true)}>
        {t.start}
      </a>
      <ul className={styles.ticks}>
        {TICKS.map((tick) => (
          <li key={tick}>
            <Icon name="check" />
            {tick}
          </li>
        ))}
      </ul>
    </PorchPage>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: CounterNext };
