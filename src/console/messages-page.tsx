import type { ChannelFigures, ConsoleFrame, MessagesPage as Data } from '#contract/console.ts';
import { fill } from '#locales/fill.ts';
import { messagesDesk as t } from '#locales/operator/figures.ts';
import { deskTexts } from '#locales/operator/console-areas.ts';
import { Icon } from '#portal/ui/icon.tsx';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import { HOUR_MS } from '#domain/text/duration.ts';
import styles from './figures.module.css';
import { Table, TableHead } from './list-page.tsx';
import { clockText, timeText } from './moments.ts';
import parts from './parts.module.css';
import { Done, State, type Tone } from './parts.tsx';

type Page = ConsoleFrame & Data;
type Zone = Pick<ConsoleFrame, 'now' | 'timeZone'>;

/** Renders how the messages of today do, and the messages that no provider took. */
export function MessagesPage({ page }: { readonly page: Page }) {
  const { channels, undelivered, done } = page;
  const count = undelivered.length;
  return (
    <>
      <h1>{t.title}</h1>
      <p className={parts.lead}>{channelsSummary(page)}</p>
      <Done words={done} />
      <div className={styles.lanes}>
        {channels
          .filter((channel) => !isEmpty(channel))
          .map((channel) => (
            <Channel key={channel.channel} page={page} channel={channel} />
          ))}
      </div>
      {channels.some(isEmpty) && (
        <p className={parts.small}>
          {fill(t.nothingBy, {
            channels: channels
              .filter(isEmpty)
              .map(({ channel }) => t.channel[channel])
              .join(', '),
          })}
        </p>
      )}
      {page.waiting && <Waiting waiting={page.waiting} />}
      <section className={styles.below} aria-labelledby="undelivered">
        <div className={parts.line}>
          <h2 id="undelivered">{countWords(count, t.undelivered)}</h2>
          {count > 0 && (
            <a className={parts.tap} href={consolePath('messages', 'csv')}>
              {deskTexts.csv}
            </a>
          )}
        </div>
        <p className={parts.small}>{t.lead}</p>
        {count > 0 && <Table columns={t.columns} rows={undelivered} zone={page} />}
      </section>
    </>
  );
}

/** Returns whether a channel has nothing to show today. */
const isEmpty = ({ state, sent, cameBack }: ChannelFigures) =>
  state === 'quiet' && sent === 0 && cameBack === 0;

/** Words for none, one and many. */
type CountWords = { readonly none: string; readonly one: string; readonly many: string };
export const countWords = (count: number, { none, one, many }: CountWords): string =>
  count === 0 ? none : count === 1 ? one : fill(many, { count });

/** Returns in words how the channels do: the channels in trouble first. */
function channelsSummary(page: Page): string {
  const { channels, undelivered } = page;
  const nameOf = ({ channel }: ChannelFigures) => t.channel[channel];
  const troubled = channels.filter(({ state }) => state === 'slow' || state === 'away');
  const working = channels.filter(({ state }) => state === 'working');
  if (troubled.length === 0 && working.length === 0) return t.nothingYet;
  const lines =
    troubled.length === 0 && undelivered.length === 0
      ? [t.allWell]
      : [
          ...troubled.map((each) => troubleOf(each, page)),
          ...working.map((each) => fill(t.works, { channel: nameOf(each) })),
        ];
  return [
    ...lines,
    undelivered.length > 0 ? countWords(undelivered.length, t.failed) : t.nothingToDo,
  ].join(' ');
}

function troubleOf({ channel, state, since }: ChannelFigures, zone: Zone): string {
  const words = state === 'slow' ? t.slow : since === null ? t.awayNow : t.away;
  return fill(words, {
    channel: t.channel[channel],
    time: since === null ? '' : timeText(since, zone),
  });
}

const TONES: Readonly<Record<ChannelFigures['state'], Tone>> = {
  working: 'ok',
  slow: 'wait',
  away: 'bad',
  quiet: 'off',
};

function Channel({ page, channel }: { readonly page: Page; readonly channel: ChannelFigures }) {
  const { state, since, seconds, hasReceipts } = channel;
  const time = since === null ? '' : timeText(since, page);
  const words = state === 'away' && since !== null ? t.awaySince : t.state[state];
  const rows = [
    [t.sent, String(channel.sent)],
    [t.cameBack, String(channel.cameBack)],
    [t.provider, channel.provider],
    [t.spare, channel.spare ? t.channel[channel.spare] : t.noSpare],
  ];
  return (
    <section className={`${parts.card} ${styles.lane}`} aria-labelledby={`lane-${channel.channel}`}>
      <div className={styles.head}>
        <span className={state === 'working' ? `${parts.window} ${parts.lit}` : parts.window}>
          <Icon name={state === 'working' ? 'lamp' : 'lamp-out'} className={styles.lamp} />
        </span>
        <div>
          <h2 id={`lane-${channel.channel}`}>{t.channel[channel.channel]}</h2>
          <p>
            <State tone={TONES[state]}>{fill(words, { time })}</State>
          </p>
        </div>
      </div>
      <p className={styles.big} data-figure>
        {seconds === null ? (
          <small>{t.none}</small>
        ) : (
          <>
            {secondsWords(seconds)} <small>{hasReceipts ? t.untilArrival : t.untilTaken}</small>
          </>
        )}
      </p>
      <Chart page={page} channel={channel} />
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const secondsWords = (count: number) => (count === 1 ? t.second : fill(t.seconds, { count }));

/** The scale is the same for all channels: a minute from the base line to the top. */
const TOP_SECONDS = 60;
const SLOW_SECONDS = 30;
const WIDTH = 220;
const BASE = 100;
const HEIGHT = 82;
const BAR_GAP = 2;

/** An hour of the day with its figure. */
type Hour = { readonly n: number; readonly start: string; readonly seconds: number };

/** Shows the seconds of the hours of the day, the last as the figure above: as a picture and as a table. */
function Chart({ page, channel }: { readonly page: Page; readonly channel: ChannelFigures }) {
  const { parts, channel: name } = channel;
  const { midnight, now } = page;
  const startOf = (n: number) =>
    clockText(Math.max(midnight, now - (parts.length - n) * HOUR_MS), page);
  const known = parts.flatMap((seconds, n) =>
    seconds === null ? [] : [{ n, start: startOf(n), seconds }],
  );
  const figures = known
    .map(({ start, seconds }) => fill(t.chartPart, { time: start, count: seconds }))
    .join(', ');
  const words = { channel: t.channel[name], figures };
  return (
    <>
      <Bars
        label={known.length === 0 ? fill(t.chartEmpty, words) : fill(t.chart, words)}
        known={known}
        step={WIDTH / parts.length}
      />
      {known.length > 0 && (
        <details className={styles.figures}>
          <summary>{t.figures}</summary>
          <table>
            <TableHead columns={[t.partColumn, t.secondsColumn]} />
            <tbody>
              {known.map(({ n, start, seconds }) => (
                <tr key={n}>
                  <th scope="row">{start}</th>
                  <td>{seconds}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </>
  );
}

type BarsProps = {
  readonly label: string;
  readonly known: readonly Hour[];
  /** The width of an hour. */
  readonly step: number;
};

function Bars({ label, known, step }: BarsProps) {
  const heightOf = (seconds: number) => (Math.min(seconds, TOP_SECONDS) / TOP_SECONDS) * HEIGHT;
  const isSlow = (hour: Hour) => hour.seconds >= SLOW_SECONDS;
  const said = known[known.length - 1];
  return (
    <svg className={styles.chart} role="img" viewBox={`0 0 ${WIDTH + 56} 128`} aria-label={label}>
      <path
        stroke="var(--line)"
        strokeWidth="2"
        d={`M0 ${BASE - HEIGHT}h${WIDTH}M0 ${BASE}h${WIDTH}`}
      />
      {known.map((hour) => (
        <rect
          key={hour.n}
          fill={isSlow(hour) ? 'var(--warning)' : 'var(--brand)'}
          x={hour.n * step + BAR_GAP / 2}
          y={BASE - heightOf(hour.seconds)}
          width={step - BAR_GAP}
          height={heightOf(hour.seconds)}
          rx="3"
        />
      ))}
      {/* The seconds stand on the rule of a minute where a bar is high: the stroke keeps them apart. */}
      <g
        fill="var(--ink-2)"
        fontSize="21"
        stroke="var(--surface)"
        strokeWidth="6"
        paintOrder="stroke"
      >
        {said && said.seconds > 0 && (
          <text
            {...(isSlow(said) && { fill: 'var(--warning)', fontWeight: 700 })}
            x={Math.max(40, (said.n + 1) * step)}
            y={BASE - heightOf(said.seconds) - 4}
            textAnchor="end"
          >
            {said.seconds} s
          </text>
        )}
        <text x={WIDTH + 8} y={BASE - HEIGHT + 6}>
          {t.scale}
        </text>
        <text x={WIDTH + 8} y={BASE + 6}>
          0
        </text>
        <text x="0" y={BASE + 24}>
          {t.midnight}
        </text>
        <text x={WIDTH} y={BASE + 24} textAnchor="end">
          {t.now}
        </text>
      </g>
    </svg>
  );
}

const MOST_DRAWN = 30;

type WaitingProps = { readonly waiting: NonNullable<Data['waiting']> };

function Waiting({ waiting: { count, oldestMs } }: WaitingProps) {
  return (
    <section className={`${parts.card} ${styles.lane} ${styles.waiting}`}>
      <h2>{countWords(count, t.waiting)}</h2>
      {count > 0 && (
        <>
          <p className={parts.small}>{fill(t.oldest, { seconds: Math.round(oldestMs / 1000) })}</p>
          <p className={styles.envelopes} aria-hidden="true">
            {Array.from({ length: Math.min(count, MOST_DRAWN) }, (_, n) => (
              <i key={n} />
            ))}
          </p>
        </>
      )}
    </section>
  );
}
