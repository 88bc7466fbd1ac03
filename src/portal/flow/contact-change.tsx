import type { ReactNode } from 'react';
import { myAccount } from '#texts/my-account.ts';
import { otp } from '#texts/otp.ts';
import { ui } from '#texts/ui.ts';
import { fill } from '#locales/fill.ts';
import type { AccountData } from '#contract/my-account.ts';
import { useNativeForm } from '../lib/form-actions.ts';
import { Contacts, fillNodes } from '../ui/contacts.tsx';
import { Note } from '../ui/note.tsx';
import { OtpBoxes } from '../ui/otp-boxes.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { Submit } from '../ui/submit.tsx';
import headingStyles from '../ui/page-heading.module.css';
import { UndoDays } from '../ui/undo-days.tsx';
import { BackToAccount, useProblem } from './account.tsx';
import { useView } from './app-context.ts';
import { StepUp } from './step-up.tsx';

const t = myAccount.contacts;

type Words = {
  readonly title: string;
  readonly lead: string;
  readonly check: string;
  readonly use: string;
  readonly done: string;
};

type ContactChangeProps = {
  readonly contact: 'email' | 'phone';
  readonly account: AccountData;
  readonly words: Words;
  /** The fields of the new contact, and its buttons. */
  readonly children: ReactNode;
};

/** Changes a contact in two steps, the new one and its code, by plain forms. */
export function ContactChange({ contact, account, words, children }: ContactChangeProps) {
  const { search } = useView();
  const { waitsFor } = account.contacts;
  const isWaiting = waitsFor?.contact === contact;
  if (search.includes('done=1')) {
    return (
      <Page title={words.done} lead={t.done}>
        <UndoNote {...account.contacts} />
      </Page>
    );
  }
  if (isWaiting) return <CodeOf {...waitsFor} words={words} />;
  return (
    <Page title={words.title} lead={words.lead} step={account.isFresh ? 1 : undefined}>
      {account.isFresh ? children : <StepUp account={account} />}
      <UndoNote {...account.contacts} />
    </Page>
  );
}

type PageProps = {
  readonly title: string;
  readonly lead: ReactNode;
  readonly step?: 1 | 2 | undefined;
  readonly children: ReactNode;
};

function Page({ title, lead, step, children }: PageProps) {
  return (
    <>
      <BackToAccount />
      <PageHeading
        lead={lead}
        above={step && <p className={headingStyles.step}>{fill(ui.step, { n: step })}</p>}
      >
        {title}
      </PageHeading>
      {children}
    </>
  );
}

type CodeOfProps = {
  readonly to: string;
  readonly lost: string | null;
  readonly words: Words;
};

function CodeOf({ to, lost, words }: CodeOfProps) {
  const error = useProblem('code');
  useNativeForm('contact-code');
  return (
    <Page
      title={words.check}
      lead={lost ?? fillNodes(t.sentTo, { to: <Contacts to={to} /> })}
      step={2}
    >
      <form id="contact-code" method="post">
        <OtpBoxes name="code" legend={otp.legend} hint={otp.hint} error={error} />
        <Submit name="do" value="check">
          {words.use}
        </Submit>
        <Submit name="do" value="send" variant="secondary" wide>
          {myAccount.newCode}
        </Submit>
        <Submit name="do" value="cancel" variant="quiet" wide>
          {t.typeAgain}
        </Submit>
      </form>
      <Note icon="mail">{t.oldTold}</Note>
    </Page>
  );
}

/** Says which change can be undone: it may be that of the other page. */
function UndoNote({ undo, isEmailChanged }: AccountData['contacts']) {
  if (!undo) return null;
  const { title, text } = isEmailChanged ? t.undoEmail : t.undoPhone;
  return <UndoDays title={title} text={fill(text, { until: undo.until })} days={undo.days} />;
}
