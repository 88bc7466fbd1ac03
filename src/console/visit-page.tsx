import type { ConsoleFrame, VisitPage as Data } from '#contract/console.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import { type ScreenName, pathOf } from '#domain/flow/screens.ts';
import { fill } from '#locales/fill.ts';
import { consoleMessages, consoleTexts } from '#locales/operator/console.ts';
import { visitTexts as t } from '#locales/operator/visit.ts';
import { Address, Contacts, fillNodes } from '#portal/ui/contacts.tsx';
import { Icon } from '#portal/ui/icon.tsx';
import { Note } from '#portal/ui/note.tsx';
import { Porch } from '#portal/ui/porch.tsx';
import { timeText } from './moments.ts';
import parts from './parts.module.css';
import { Back } from './parts.tsx';
import person from './person.module.css';
import talk from './talk.module.css';
import { messageIcon } from './timeline.tsx';

type Page = ConsoleFrame & Data;

export const visitTitle = ({ code }: Data): string => fill(t.title, { code });

const SCREEN_WORDS: Readonly<Partial<Record<ScreenName, string>>> = t.screens;
const DOORS = {
  nothing: 'shut',
  signUp: 'ajar',
  password: 'shut',
  otp: 'ajar',
  verified: 'half',
  complete: 'wide',
} as const;

/** Renders what the visitor sees and what was sent, as far as it helps without saying who it is. */
export function VisitPage({ page }: { readonly page: Page }) {
  const { stage, screen, address, isProven, expiresAt } = page;
  return (
    <>
      <Back href={consolePath('people')}>{consoleTexts.backToSearch}</Back>
      <h1>{visitTitle(page)}</h1>
      <Note icon="info">{t.notProof}</Note>
      <div className={talk.visit} data-live="visit">
        <section className={talk.talk} aria-labelledby="stage">
          <span className={talk.door}>
            <Porch door={DOORS[stage]} view="mini" />
          </span>
          <div>
            <h2 id="stage">{t.stage[stage]}</h2>
            <p>{t.advice[stage]}</p>
          </div>
        </section>
        <p>{fill(t.at, { screen: SCREEN_WORDS[screen] ?? pathOf(screen) })}</p>
        <p>
          {address === null
            ? t.noAddress
            : fillNodes(isProven ? t.proven : t.typed, { email: <Address email={address} /> })}
        </p>
        <h2>{t.sentTitle}</h2>
        <Sent page={page} />
      </div>
      <p className={parts.small}>{fill(t.until, { until: timeText(expiresAt, page) })}</p>
    </>
  );
}

function Sent({ page }: { readonly page: Page }) {
  const { messages, otp, now } = page;
  if (messages.length === 0 && otp === null) return <p>{t.sentNothing}</p>;
  return (
    <>
      <ul className={person.ways}>
        {messages.map(({ channel, to, state, reason, at }) => (
          <li key={channel} className={state === 'failed' ? person.bad : undefined}>
            <Icon name={messageIcon({ channel, state })} />
            <span>
              <b>
                {fillNodes(t.sentTo, { what: consoleMessages[channel], to: <Contacts to={to} /> })}
              </b>
              {fill(consoleMessages[state], {
                reason: consoleMessages.reasons[channel][reason ?? 'unknown'],
              })}{' '}
              {timeText(at, page)}
            </span>
          </li>
        ))}
      </ul>
      {otp && (
        <p>
          {fill(otp.expiresAt > now ? t.codeWorks : t.codeOver, {
            sent: timeText(otp.sentAt, page),
            until: timeText(otp.expiresAt, page),
          })}{' '}
          {fill(t.tries, { wrong: otp.wrongTries, left: otp.triesLeft })}
        </p>
      )}
    </>
  );
}
