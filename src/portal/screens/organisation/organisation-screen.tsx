import { organisation as t } from '#texts/organisation.ts';
import { fill } from '#locales/fill.ts';
import { telOf } from '#domain/text/contact-text.ts';
import { pathOf } from '#domain/flow/screens.ts';
import type { OrganisationPage } from '#contract/organisation.ts';
import { useAppContext } from '../../flow/app-context.ts';
import { useLink } from '../../flow/link.ts';
import { OrganisationButton } from '../../flow/organisation-button.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Address, fillNodes, Phone } from '../../ui/contacts.tsx';
import { Icon } from '../../ui/icon.tsx';
import { BackLink } from '../../ui/link-row.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import styles from './organisation.module.css';

/** Says why an organisation's sign-in let nobody in, what to do and whom to ask; nothing about who exists (ORG-08). */
function Organisation() {
  const { organisation, entrance } = useAppContext().boot;
  const signIn = pathOf('signIn', entrance);
  const back = useLink(signIn);
  if (!organisation) {
    return (
      <>
        <BackLink href={signIn}>{t.back}</BackLink>
        <PageHeading>{t.titles.unlinked}</PageHeading>
      </>
    );
  }
  const { label, why, cameAs } = organisation;
  return (
    <>
      <BackLink href={signIn}>{t.back}</BackLink>
      <PageHeading lead={fill(t.leads[why], { label })}>
        {fill(t.titles[why], { label })}
      </PageHeading>
      {cameAs && (
        <ul className={styles.facts}>
          <li>
            <Icon name="user" />
            <span>
              {t.cameAs}
              <br />
              <b>{cameAs.includes('@') ? <Address email={cameAs} /> : <bdi>{cameAs}</bdi>}</b>
            </span>
          </li>
        </ul>
      )}
      {why === 'down' ? (
        <Down organisation={organisation} />
      ) : (
        <>
          <Ask organisation={organisation} why={why} />
          <div className={styles.ways}>
            {why === 'refused' && (
              <OrganisationButton {...organisation}>{t.again}</OrganisationButton>
            )}
            <a {...back} className={buttonClass('secondary', true)}>
              {why === 'unlinked' ? t.password : t.byPassword}
            </a>
          </div>
          {why === 'unlinked' && <p className={styles.small}>{t.passwordText}</p>}
        </>
      )}
    </>
  );
}

type Of = { readonly organisation: OrganisationPage };

function Down({ organisation }: Of) {
  const back = useLink(pathOf('signIn', useAppContext().boot.entrance));
  return (
    <>
      <ul className={styles.facts}>
        <li>
          <Icon name="shield-check" />
          {t.safe}
        </li>
      </ul>
      <div className={styles.ways}>
        <a {...back} className={buttonClass('primary', true)}>
          {t.byPassword}
        </a>
        <OrganisationButton {...organisation}>{t.again}</OrganisationButton>
      </div>
      <p className={styles.small}>{t.noPassword}</p>
    </>
  );
}

function Ask({ organisation, why }: Of & { readonly why: keyof typeof t.askText }) {
  const { settings } = useAppContext().boot;
  const { helpName, helpPhone } = organisation;
  const phone = helpPhone ?? settings.help.phone;
  return (
    <section className={styles.ask}>
      <h2>{helpName ? fill(t.ask, { name: helpName }) : t.askUs}</h2>
      <p>{t.askText[why]}</p>
      <a className={styles.glow} href={telOf(phone)}>
        <Icon name="phone" />
        <span>{fillNodes(t.call, { phone: <Phone number={phone} /> })}</span>
      </a>
    </section>
  );
}

export const screen: ScreenModule = {
  title: ({ organisation }) =>
    organisation
      ? fill(t.titles[organisation.why], { label: organisation.label })
      : t.titles.unlinked,
  View: Organisation,
  panel: ({ organisation }) => (organisation?.why === 'down' ? t.panel.down : t.panel.known),
};
