import type { HouseFigures, StepFigures } from '#contract/console.ts';
import { stepShare } from '#domain/flow/sign-in-steps.ts';
import { fill } from '#locales/fill.ts';
import { signInsDesk as t } from '#locales/operator/figures.ts';
import styles from './figures.module.css';

export const numberWords = (count: number) => count.toLocaleString('en-US');
/** Returns the visits of the first step. */
export const firstStepVisits = ({ steps }: HouseFigures) => steps[0]?.visits ?? 0;

/** Returns the share of a step in the first one, in hundredths. */
export const houseShare = (house: HouseFigures, { visits }: StepFigures) =>
  stepShare(visits, firstStepVisits(house));

/* The picture: an arch a step, as high as its share of the first one, from zero. */
const WIDTH = 1328;
const GROUND = 372;
const HIGHEST = 236;
const ARCH = 108;
const FIRST_X = 38;
const STEP_X = 286;
const QUIET = { fill: '#dce7e2', fontWeight: 400 };

/** Draws the steps of a house. */
export function Picture({ house }: { readonly house: HouseFigures }) {
  const { steps } = house;
  const heightOf = (step: StepFigures) => (step.visits / firstStepVisits(house)) * HIGHEST;
  const name = fill(t.picture, {
    first: numberWords(firstStepVisits(house)),
    last: numberWords(steps[steps.length - 1]?.visits ?? 0),
  });
  return (
    <figure className={styles.funnel}>
      <svg
        viewBox={`0 0 ${WIDTH} 432`}
        role="img"
        aria-label={name}
        fill="#fbf6e9"
        fontSize="18"
        fontWeight="650"
        textAnchor="middle"
      >
        <defs>
          <linearGradient id="glow" x1="0" y1="0" x2="0" y2="1">
            <stop stopColor="#ffc24d" stopOpacity=".62" />
            <stop offset="1" stopColor="#ffc24d" stopOpacity=".1" />
          </linearGradient>
        </defs>
        <path fill="#0a343b" d={`M0 0h${WIDTH}v${GROUND}H0z`} />
        <path fill="#04161a" d={`M0 ${GROUND}h${WIDTH}v60H0z`} />
        {steps.map((step, n) => {
          const x = FIRST_X + n * STEP_X;
          const height = heightOf(step);
          const next = steps[n + 1];
          return (
            <g key={step.step}>
              {next && <Gap x={x} from={height} to={heightOf(next)} step={step} />}
              <Arch x={x} height={height} />
              <text
                data-visits
                x={x + ARCH / 2}
                y={GROUND - height - 40}
                fontSize="30"
                fontWeight="750"
              >
                {numberWords(step.visits)}
              </text>
              <text x={x + ARCH / 2} y={GROUND - height - 14} {...QUIET}>
                {fill(t.of100, { share: houseShare(house, step) })}
              </text>
              <text x={x + ARCH / 2} y={GROUND + 37}>
                {t.step[step.step]}
              </text>
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

/** Draws an arch with its light; a low one has no room for the rounding. */
function Arch({ x, height }: { readonly x: number; readonly height: number }) {
  const layers = [
    { inset: -8, color: '#1b636a' },
    { inset: 0, color: '#ffc24d' },
    { inset: 20, color: '#ffd98e' },
    { inset: 35, color: '#ffeed2' },
  ];
  return layers.map(({ inset, color }) => {
    const width = ARCH - 2 * inset;
    const own = height - inset;
    if (own <= 0) return null;
    const radius = Math.min(width / 2, own);
    const d = `M${x + inset} ${GROUND}v${radius - own}a${width / 2} ${radius} 0 0 1 ${width} 0V${GROUND}z`;
    return <path key={color} fill={color} d={d} />;
  });
}

type GapProps = {
  readonly x: number;
  readonly from: number;
  readonly to: number;
  readonly step: StepFigures;
};

/** Draws the glow between two arches, and over it the visits that stopped, with their most frequent cause. */
function Gap({ x, from, to, step: { stopped, cause } }: GapProps) {
  const [left, right] = [x + ARCH + 8, x + STEP_X - 8];
  const [a, b] = [Math.max(0, from - 34), Math.max(0, to - 34)];
  const above = GROUND - Math.max(a, b) - 44;
  const middle = (left + right) / 2;
  return (
    <>
      <path
        fill="url(#glow)"
        d={`M${left} ${GROUND}V${GROUND - a}L${right} ${GROUND - b}V${GROUND}z`}
      />
      <path stroke="#ffd892" strokeWidth="3" d={`M${left} ${GROUND - a}L${right} ${GROUND - b}`} />
      <text x={middle} y={above} fill="#ffd892">
        {fill(t.stopped, { count: numberWords(stopped) })}
      </text>
      {cause && stopped > 0 && (
        <text x={middle} y={above + 24} {...QUIET}>
          {t.cause[cause]}
        </text>
      )}
    </>
  );
}

/** Draws a house in one strip: the light that gets through, from step to step. */
export function Strip({ house }: { readonly house: HouseFigures }) {
  const { steps } = house;
  const shares = steps.map((step) => houseShare(house, step));
  const points = shares.map((share, n) => `L${n * 90} ${44 - share * 0.4}`).join('');
  return (
    <svg
      className={styles.strip}
      viewBox="0 0 360 44"
      role="img"
      aria-label={fill(t.strip, {
        figures: steps.map((step, n) => `${t.step[step.step]} ${shares[n]}`).join(', '),
      })}
    >
      <path fill="#072a30" d="M0 0h360v44H0z" />
      <path fill="#ffc24d" d={`M0 44${points}V44z`} />
      <path stroke="#072a30" strokeWidth="3" d="M90 0v44M180 0v44M270 0v44" />
    </svg>
  );
}
