import type { TypedPhone } from '#domain/flow/terms.ts';
import { myAccount } from '#texts/my-account.ts';
import { accountPanel, useAccount, useProblem } from '../../flow/account.tsx';
import { ContactChange } from '../../flow/contact-change.tsx';
import { PhoneRow } from '../../flow/phone-row.tsx';
import { useView } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { fillNodes, Phone } from '../../ui/contacts.tsx';
import { Note } from '../../ui/note.tsx';
import { NativeForm, Submit } from '../../ui/submit.tsx';

const t = myAccount.contacts;

/** Changes or removes the phone number: a new one counts after the code that goes there. */
function MyPhone() {
  const account = useAccount();
  const error = useProblem('phone', 'code');
  const { search } = useView();
  if (!account) return null;
  const { typed } = account;
  const hasPhone = account.phone !== '';
  const words = {
    title: t.phoneTitle,
    lead: t.phoneLead,
    check: t.checkPhone,
    use: t.usePhone,
    done: search.includes('done=1') && !hasPhone ? t.phoneGone : t.phoneDone,
  };
  return (
    <ContactChange contact="phone" account={account} words={words}>
      <NativeForm id="new-phone">
        <Note icon="phone">
          {hasPhone
            ? fillNodes(t.phoneNow, { phone: <Phone number={account.phone} /> })
            : t.phoneNone}
        </Note>
        <PhoneRow error={error} initial={typed.phone ? (typed as TypedPhone) : null} />
        <Submit>{t.sendCode}</Submit>
        {hasPhone && (
          <Submit name="do" value="remove" variant="quiet" wide>
            {t.remove}
          </Submit>
        )}
      </NativeForm>
    </ContactChange>
  );
}

export const screen: ScreenModule = {
  title: () => t.phoneTitle,
  View: MyPhone,
  panel: accountPanel,
};
