import type { ConsoleFrame, PersonPage, TimelineEntry } from '#contract/console.ts';
import { fill } from '#locales/fill.ts';
import { consoleMessages, consoleTexts as t } from '#locales/operator/console.ts';
import { eventNames } from '#locales/operator/events.ts';
import { Icon, type IconName } from '#portal/ui/icon.tsx';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import { clockText, dayText, timeText } from './moments.ts';
import parts from './parts.module.css';
import styles from './person.module.css';

type Page = ConsoleFrame & PersonPage;
type Look = { readonly tone: 'ok' | 'bad' | 'lit' | ''; readonly icon: IconName };

/** Renders what happened, by day, the newest first; open down to the first day with more than looks of staff. */
export function Timeline({ page }: { readonly page: Page }) {
  const { timeline, hasOlder, person, most } = page;
  if (timeline.length === 0) return <p className={parts.lead}>{t.nothingHappened}</p>;
  const days = Object.entries(byDay(timeline, page));
  const isTold = ([, entries]: (typeof days)[number]) =>
    entries.some((entry) => entry.kind !== 'event' || entry.event !== 'console.looked');
  const lastOpen = days.findIndex(isTold);
  const older = `${consolePath('people', person.id)}?most=${most * 3}#time`;
  return (
    <>
      {days.map(([day, entries], n) => {
        const lines = (
          <ol>
            {entries.map((entry, index) => (
              <Entry key={`${entry.at} ${index}`} page={page} entry={entry} />
            ))}
          </ol>
        );
        return n === 0 ? (
          <section key={day}>
            <h3>{day}</h3>
            {lines}
          </section>
        ) : (
          <details key={day} open={n <= lastOpen}>
            <summary>{fill(t.olderDay, { day, count: entries.length })}</summary>
            {lines}
          </details>
        );
      })}
      {hasOlder && (
        <p>
          <a href={older}>{t.older}</a>
        </p>
      )}
    </>
  );
}

/** Says the newest entry, for ears alone: it follows along with the page. */
export function News({ page }: { readonly page: Page }) {
  const [newest] = page.timeline;
  return (
    <p className="visually-hidden" role="status" data-live="news">
      {newest && fill(t.news, { what: entryText(newest), at: timeText(newest.at, page) })}
    </p>
  );
}

function byDay(timeline: readonly TimelineEntry[], page: Page): Record<string, TimelineEntry[]> {
  const days: Record<string, TimelineEntry[]> = {};
  for (const entry of timeline) (days[dayText(entry.at, page)] ??= []).push(entry);
  return days;
}

function Entry({ page, entry }: { readonly page: Page; readonly entry: TimelineEntry }) {
  const { tone, icon } = lookOf(entry);
  const details = detailsOf(entry);
  return (
    <li className={tone && styles[tone]}>
      <time dateTime={new Date(entry.at).toISOString()}>{clockText(entry.at, page)}</time>
      <span className={`${parts.window} ${styles.node}`}>
        <Icon name={icon} />
      </span>
      <div>
        <b>{entryText(entry)}</b>
        {details.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
    </li>
  );
}

type MessageEntry = Extract<TimelineEntry, { readonly kind: 'message' }>;

/** Returns the sign of a message: its channel, or that it failed. */
export function messageIcon({ channel, state }: Pick<MessageEntry, 'channel' | 'state'>): IconName {
  if (state === 'failed') return 'octagon-alert';
  return channel === 'email' ? 'mail' : 'smartphone';
}

function lookOf(entry: TimelineEntry): Look {
  if (entry.kind === 'message') {
    return { tone: entry.state === 'failed' ? 'bad' : '', icon: messageIcon(entry) };
  }
  if (entry.event === 'console.looked') return { tone: entry.isByMe ? 'lit' : '', icon: 'eye' };
  if (entry.isFailure) return { tone: '', icon: 'x' };
  if (entry.by !== null) return { tone: '', icon: 'headset' };
  return { tone: 'ok', icon: 'check' };
}

/** Returns an entry in words. */
export function entryText(entry: TimelineEntry): string {
  if (entry.kind === 'message') return consoleMessages[entry.channel];
  if (entry.event === 'console.looked' && entry.isByMe) return t.youOpened;
  const what = (eventNames as Record<string, string>)[entry.event] ?? entry.event;
  return entry.times > 1 ? fill(t.times, { what, count: entry.times }) : what;
}

function detailsOf(entry: TimelineEntry): readonly string[] {
  if (entry.kind === 'message') {
    const reason = consoleMessages.reasons[entry.channel][entry.reason ?? 'unknown'];
    return [fill(consoleMessages[entry.state], { reason })];
  }
  if (entry.isByMe && entry.event === 'console.looked') return [];
  return [
    ...(entry.by === null ? [] : [fill(t.byStaff, { name: entry.by })]),
    ...(entry.isFailure && entry.request !== null
      ? [fill(t.reference, { reference: entry.request })]
      : []),
  ];
}
