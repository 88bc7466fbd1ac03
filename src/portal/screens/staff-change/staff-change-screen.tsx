import { staffChange as t } from '#texts/staff-change.ts';
import { otp } from '#texts/otp.ts';
import { pathOf } from '#domain/flow/screens.ts';
import type { LinkedStaffChange } from '#contract/my-account.ts';
import { problemText } from '../../flow/account.tsx';
import { useAppContext } from '../../flow/app-context.ts';
import { HelpLines } from '../../flow/help-lines.tsx';
import { MessagePage, MessageText, PorchPage } from '../../flow/message-page.tsx';
import { PhoneProof } from '../../flow/phone-proof.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { Contacts, fillNodes } from '../../ui/contacts.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { NativeForm, Submit } from '../../ui/submit.tsx';
import styles from './staff-change.module.css';

/** A change that the help desk was asked for: its person proves it, or stops it. Opening the page changes nothing. */
function StaffChange() {
  const { boot, view } = useAppContext();
  const done = new URLSearchParams(view.get().search).get('done');
  const { link } = boot;
  if (done === 'changed') return <Over title={t.changedTitle} text={t.changed} isGood />;
  if (done === 'begun') return <Over title={t.begunTitle} text={t.begun} isGood />;
  if (done === 'stopped') return <Over title={t.stoppedTitle} text={t.stopped} isGood />;
  if (!link?.staffChange) return <Over title={t.over} text={t.overText} />;
  const { staffChange } = link;
  const isStop = staffChange.asks === 'stop' || staffChange.asks === 'stopByPassword';
  return (
    <PorchPage door="ajar" thing="letter" title={isStop ? t.stopTitle : t.title}>
      <MessageText>
        <p>
          {isStop
            ? t.stopLead
            : fillNodes(t.what[staffChange.what], { to: <Contacts to={staffChange.to} /> })}
        </p>
      </MessageText>
      <div className={styles.ask}>
        <Ask change={staffChange} />
        {link.phone !== null && <PhoneProof link={link} text={t.byPhone} isSecond />}
        {staffChange.hasKey && (
          <MessageText>
            <p>
              {isStop ? t.stopByKey : t.byKey} <a href={pathOf('signIn')}>{t.byKeyLink}</a>
            </p>
          </MessageText>
        )}
        {staffChange.asksMailbox && <ByMailbox />}
        <MessageText>
          {!isStop && <p>{t.no}</p>}
          <p>
            <HelpLines />
          </p>
        </MessageText>
      </div>
    </PorchPage>
  );
}

function Ask({ change }: { readonly change: LinkedStaffChange }) {
  const { asks, asksMailbox, what } = change;
  const problem = change.problem ? problemText(change.problem) : undefined;
  if (asks === 'stop' || asks === 'proof') {
    return (
      <NativeForm id="change">
        {problem && <p role="alert">{problem}</p>}
        <Submit>{asks === 'stop' ? t.stop : t.yes}</Submit>
      </NativeForm>
    );
  }
  const isStop = asks === 'stopByPassword';
  return (
    <>
      {!asksMailbox && !isStop && (asks !== 'password' || what === 'email') && (
        <MessageText>
          <p role="status">{asks === 'begun' ? t.begun : t.waits}</p>
        </MessageText>
      )}
      {(asks === 'password' || isStop) && (
        <NativeForm id="change">
          <MessageText>
            <p>{isStop ? t.stopByPassword : t.password}</p>
          </MessageText>
          <PasswordField
            name="password"
            label={t.passwordLabel}
            autoComplete="current-password"
            error={problem}
          />
          <Submit>{isStop ? t.stop : t.passwordButton}</Submit>
        </NativeForm>
      )}
    </>
  );
}

function ByMailbox() {
  return (
    <NativeForm id="mailbox">
      <MessageText>
        <p>{t.forgotten}</p>
      </MessageText>
      <Submit name="do" value="mailbox" variant="secondary" wide>
        {t.mailbox}
      </Submit>
    </NativeForm>
  );
}

type OverProps = { readonly title: string; readonly text: string; readonly isGood?: boolean };

function Over({ title, text, isGood = false }: OverProps) {
  const action = { href: pathOf('signIn'), label: otp.backToSignIn };
  const look = isGood ? ({ door: 'wide' } as const) : ({ door: 'shut', thing: 'late' } as const);
  return (
    <MessagePage {...look} title={title} action={action}>
      <p>{text}</p>
      <p>
        <HelpLines />
      </p>
    </MessagePage>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: StaffChange };
