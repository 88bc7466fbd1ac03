import type { ReactNode } from 'react';
import { myAccount } from '#texts/my-account.ts';
import { otp } from '#texts/otp.ts';
import { ui } from '#texts/ui.ts';
import { fill } from '#locales/fill.ts';
import type { AccountData } from '#contract/my-account.ts';
import { Contacts, fillNodes } from '../ui/contacts.tsx';
import { Note } from '../ui/note.tsx';
import { OtpBoxes } from '../ui/otp-boxes.tsx';
import { NativeForm, Submit } from '../ui/submit.tsx';
import headingStyles from '../ui/page-heading.module.css';
import { UndoDays } from '../ui/undo-days.tsx';
import { AccountPage, useProblem } from './account.tsx';
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
  if (search.includes('done=1')) {
    return (
      <AccountPage title={words.done} lead={t.done}>
        <UndoNote {...account.contacts} />
      </AccountPage>
    );
  }
  if (waitsFor?.contact === contact) return <CodeOf {...waitsFor} words={words} />;
  return (
    <AccountPage
      title={words.title}
      lead={words.lead}
      above={account.isFresh && <StepOfTwo n={1} />}
    >
      {account.isFresh ? children : <StepUp account={account} />}
      <UndoNote {...account.contacts} />
    </AccountPage>
  );
}

const StepOfTwo = ({ n }: { readonly n: 1 | 2 }) => (
  <p className={headingStyles.step}>{fill(ui.step, { n })}</p>
);

type CodeOfProps = {
  readonly to: string;
  readonly lost: string | null;
  readonly words: Words;
};

function CodeOf({ to, lost, words }: CodeOfProps) {
  const error = useProblem('code');
  return (
    <AccountPage
      title={words.check}
      lead={lost ?? fillNodes(t.sentTo, { to: <Contacts to={to} /> })}
      above={<StepOfTwo n={2} />}
    >
      <NativeForm id="contact-code">
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
      </NativeForm>
      <Note icon="mail">{t.oldTold}</Note>
    </AccountPage>
  );
}

/** Says which change can be undone: it may be that of the other page. */
function UndoNote({ undo, isEmailChanged }: AccountData['contacts']) {
  if (!undo) return null;
  const { title, text } = isEmailChanged ? t.undoEmail : t.undoPhone;
  return <UndoDays title={title} text={fill(text, { until: undo.until })} days={undo.days} />;
}
