import { Fragment } from 'react';
import {
  type ConsoleFrame,
  FIGURE_PERIODS,
  type FigurePeriod,
  type HouseFigures,
  type SignInsPage as Data,
  type StepFigures,
} from '#contract/console.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import { FEWEST_VISITS } from '#domain/flow/sign-in-steps.ts';
import { fill } from '#locales/fill.ts';
import { signInsDesk as t } from '#locales/operator/figures.ts';
import { Note } from '#portal/ui/note.tsx';
import styles from './figures.module.css';
import { TableHead } from './list-page.tsx';
import parts from './parts.module.css';
import { Choices } from './parts.tsx';
import { numberWords, Picture, houseShare, Strip, firstStepVisits } from './sign-ins-picture.tsx';
import table from './table.module.css';

type Page = ConsoleFrame & Data;

const PATH = consolePath('signIns');
const isEnough = (house: HouseFigures) => firstStepVisits(house) >= FEWEST_VISITS;

/** Returns the step at which most visits stop. */
function lossOf({ steps }: HouseFigures): StepFigures | null {
  const [most] = [...steps].sort((a, b) => b.stopped - a.stopped);
  return most && most.stopped > 0 ? most : null;
}

/** Renders where visits stop on their way in: as a picture, in words and as a table. */
export function SignInsPage({ page }: { readonly page: Page }) {
  const { drawn, houses, period, hasTenant } = page;
  return (
    <>
      <h1>{t.title}</h1>
      <p className={parts.lead}>{houseSummary(drawn)}</p>
      <Chosen page={page} />
      {isEnough(drawn) && (
        <>
          <Picture house={drawn} />
          <Steps page={page} house={drawn} />
        </>
      )}
      <section className={styles.below} aria-labelledby="houses">
        <div className={parts.line}>
          <h2 id="houses">{fill(t.table, { period: t.period[period].toLowerCase() })}</h2>
          <a className={parts.tap} href={`${PATH}/csv`}>
            {t.csv}
          </a>
        </div>
        {houses.length > 0 && <Houses houses={houses} period={period} />}
      </section>
      <Note icon="info">
        {[...t.notes, ...(hasTenant ? [t.tenantNote] : [])].map((line, n) => (
          <Fragment key={line}>
            {n > 0 && <br />}
            {line}
          </Fragment>
        ))}
      </Note>
    </>
  );
}

function houseSummary(house: HouseFigures): string {
  const count = firstStepVisits(house);
  if (count === 0) return t.noVisits;
  if (!isEnough(house)) return fill(t.tooFew, { count });
  const last = house.steps[house.steps.length - 1];
  const share = last ? houseShare(house, last) : 0;
  const loss = lossOf(house);
  return [
    house.id === null ? fill(t.getInAll, { share }) : fill(t.getIn, { house: house.name, share }),
    loss === null
      ? t.nobodyLost
      : fill(t.mostLost, {
          where: t.at[loss.step],
          cause: loss.cause ? t.cause[loss.cause] : '',
          count: numberWords(loss.stopped),
        }),
  ].join(' ');
}

const hrefOf = (house: number | null, period: FigurePeriod) =>
  `${PATH}?${String(new URLSearchParams({ time: period, ...(house !== null && { house: String(house) }) }))}`;

function Chosen({ page: { house, houses, period } }: { readonly page: Page }) {
  return (
    <div className={`${parts.buttons} ${styles.choose}`}>
      {houses.length > 0 && (
        <Choices
          label={t.houses}
          choices={[{ id: null, name: t.all }, ...houses].map(({ id, name }) => ({
            href: hrefOf(id, period),
            label: name,
            isCurrent: id === house,
          }))}
        />
      )}
      <Choices
        label={t.periods}
        choices={FIGURE_PERIODS.map((each) => ({
          href: hrefOf(house, each),
          label: t.period[each],
          isCurrent: each === period,
        }))}
      />
    </div>
  );
}

const STEP_COLUMNS = [t.stepColumn, t.visitsColumn, t.shareColumn, t.stoppedColumn, t.causeColumn];

/** Renders the figures of the picture; each loss leads to the people behind it. */
function Steps({ page, house }: { readonly page: Page; readonly house: HouseFigures }) {
  return (
    <details className={styles.figures} open>
      <summary>{t.figures}</summary>
      <table className={table.table}>
        <TableHead columns={STEP_COLUMNS} />
        <tbody>
          {house.steps.map((step) => (
            <tr key={step.step}>
              <th scope="row">{t.step[step.step]}</th>
              <td data-label={t.visitsColumn}>{numberWords(step.visits)}</td>
              <td data-label={t.shareColumn}>{houseShare(house, step)}</td>
              <td data-label={t.stoppedColumn}>{numberWords(step.stopped)}</td>
              <td data-label={t.causeColumn}>
                {step.cause ? `${t.cause[step.cause]}. ` : ''}
                {step.stopped > 0 && <SeeWho house={house} period={page.period} step={step} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

type LossProps = {
  readonly house: HouseFigures;
  readonly period: FigurePeriod;
  readonly step: StepFigures;
};

function SeeWho({ house: { id, name }, period, step: { step } }: LossProps) {
  return (
    <a className={parts.tap} href={`${PATH}/who/${id ?? 'all'}/${period}/${step}`}>
      {t.seeWho}
      <span className="visually-hidden">
        {' '}
        {t.at[step]}, {name}
      </span>
    </a>
  );
}

function Houses({ houses, period }: Pick<Data, 'houses' | 'period'>) {
  const [, strip, getIn, lost] = t.columns;
  return (
    <table className={table.table}>
      <TableHead columns={t.columns} />
      <tbody>
        {houses.map((house) => {
          const last = house.steps[house.steps.length - 1];
          const loss = lossOf(house);
          const isShown = isEnough(house) && last !== undefined;
          return (
            <tr key={house.id}>
              <th scope="row">{house.name}</th>
              <td data-label={strip}>{isShown ? <Strip house={house} /> : houseSummary(house)}</td>
              <td data-label={getIn}>
                {isShown && (
                  <>
                    <b className={styles.share}>{houseShare(house, last)}</b>{' '}
                    {fill(t.of100, { share: '' })}
                  </>
                )}
              </td>
              <td data-label={lost}>
                {loss && (
                  <>
                    {fill(t.lostWords, {
                      where: t.at[loss.step],
                      count: numberWords(loss.stopped),
                    })}{' '}
                    <SeeWho house={house} period={period} step={loss} />
                  </>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
