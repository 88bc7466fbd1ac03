import { appCodes as t } from '#texts/authenticator.ts';
import { countText } from '#locales/counts.ts';
import { fill } from '#locales/fill.ts';
import { pathOf } from '#domain/flow/screens.ts';
import type { AccountAppCode } from '#contract/my-account.ts';
import { AccountPage, accountPanel, useAccount, useProblem } from '../../flow/account.tsx';
import { StepUp } from '../../flow/step-up.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { agoText } from '../../lib/time-words.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { NativeForm, Submit } from '../../ui/submit.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './my-app-codes.module.css';

/** Sets up codes from an app, shows recovery codes once, and switches both off. Plain forms, as on each of these pages. */
function MyAppCodes() {
  const account = useAccount();
  if (!account?.appCode) return <PageHeading>{t.title}</PageHeading>;
  const { appCode, isFresh, recoveryCodes } = account;
  if (recoveryCodes.length > 0) return <RecoveryCodes codes={recoveryCodes} />;
  return (
    <AccountPage title={t.title} lead={t.lead}>
      {appCode.isOn && (
        <Note icon="check">
          {fill(t.on, { ago: agoText(appCode.agoMs) })} {countText(t.left, appCode.left)}
        </Note>
      )}
      {isFresh ? (
        <NativeForm id="app-codes">
          <Change appCode={appCode} />
        </NativeForm>
      ) : (
        <StepUp account={account} />
      )}
    </AccountPage>
  );
}

function Change({ appCode: { isOn, setUp } }: { readonly appCode: AccountAppCode }) {
  if (setUp) return <SetUp setUp={setUp} />;
  if (!isOn) {
    return (
      <>
        <Note icon="info">{t.before}</Note>
        <Submit name="do" value="start">
          {t.start}
        </Submit>
      </>
    );
  }
  return (
    <>
      <p>{t.renewText}</p>
      <Submit name="do" value="renew">
        {t.renew}
      </Submit>
      <p>{t.removeText}</p>
      <Submit name="do" value="remove" variant="secondary" wide>
        {t.remove}
      </Submit>
    </>
  );
}

type SetUpProps = { readonly setUp: NonNullable<AccountAppCode['setUp']> };

function SetUp({ setUp: { key, qr } }: SetUpProps) {
  const problem = useProblem('appCode');
  return (
    <>
      <ol className={styles.steps}>
        <li>
          <h2>{t.step1}</h2>
          <p>{t.step1Text}</p>
        </li>
        <li>
          <h2>{t.step2}</h2>
          <svg className={styles.qr} viewBox={`0 0 ${qr.size} ${qr.size}`} role="img">
            <title>{t.picture}</title>
            <path d={qr.path} shapeRendering="crispEdges" />
          </svg>
          <p>{t.byHand}</p>
          <p className={styles.key}>{key}</p>
        </li>
        <li>
          <h2>{t.step3}</h2>
          <TextField
            name="appCode"
            label={t.code}
            inputMode="numeric"
            autoComplete="one-time-code"
            error={problem}
          />
        </li>
      </ol>
      <Submit name="do" value="confirm">
        {t.confirm}
      </Submit>
      <Submit name="do" value="stop" variant="secondary" wide>
        {t.stop}
      </Submit>
    </>
  );
}

/** The answer to the form itself, and so a page without script: the browser prints it. */
function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  return (
    <>
      <PageHeading lead={t.codesLead}>{t.codesTitle}</PageHeading>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Note icon="info">{t.keep}</Note>
      <p>{t.once}</p>
      <p className={styles.after}>
        <a className={buttonClass('secondary', true)} href={pathOf('myAccount')}>
          {t.done}
        </a>
      </p>
    </>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: MyAppCodes, panel: accountPanel };
