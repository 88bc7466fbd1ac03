import { DISPLAY_CHOICES } from '#domain/looks/display.ts';
import { display as words } from '#texts/display.ts';
import { myAccount } from '#texts/my-account.ts';
import { shell } from '#texts/shell.ts';
import { AccountPage, accountPanel, useAccount } from '../../flow/account.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { OptionCards } from '../../ui/option-cards.tsx';
import { NativeForm, Submit } from '../../ui/submit.tsx';
import { usePreferences } from '../../ui/preferences.ts';

const t = myAccount.display;

/** Saves how this browser shows its pages for the account's other browsers. */
function MyDisplay() {
  const account = useAccount();
  const here = usePreferences();
  if (!account) return null;
  const chosen = account.display ?? here;
  return (
    <AccountPage title={t.title} lead={t.lead}>
      <NativeForm id="display-of-account">
        <OptionCards
          type="radio"
          name="textSize"
          legend={shell.textSize.label}
          defaultChosen={[chosen.textSize]}
          options={DISPLAY_CHOICES.textSize.map((value) => ({
            value,
            label: shell.textSize[value],
          }))}
        />
        <OptionCards
          type="radio"
          name="theme"
          legend={words.colors}
          defaultChosen={[chosen.theme]}
          options={DISPLAY_CHOICES.theme.map((value) => ({ value, label: words[value] }))}
        />
        <OptionCards
          type="radio"
          name="untimed"
          legend={words.untimed}
          defaultChosen={[chosen.untimed]}
          options={[
            { value: 'off', label: t.untimedOff },
            { value: 'on', label: t.untimedOn },
          ]}
        />
        <Submit>{t.save}</Submit>
      </NativeForm>
    </AccountPage>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: MyDisplay, panel: accountPanel };
