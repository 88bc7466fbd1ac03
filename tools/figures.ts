export type Figure = {
  id: string;
  what: string;
  unit: string;
  value: number;
  /** The largest value that is still good; without one the figure is shown for information. */
  budget?: number;
  /** The compared baseline, in words. */
  baseline?: string;
  /** Of the repeated runs behind the value, which is their median. */
  runs?: number[];
};

export function isOver({ value, budget }: Figure): boolean {
  // A figure that could not be taken is no good figure: NaN compares as false with everything.
  return budget !== undefined && !(value <= budget);
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (upper + lower) / 2;
}

export function printFigures(figures: Figure[]): void {
  const rows = figures.map((figure) => [
    isOver(figure) ? 'OVER' : figure.budget === undefined ? '    ' : 'ok  ',
    figure.id,
    figure.what,
    text(figure.value, figure.unit),
    figure.budget === undefined ? '' : `<= ${text(figure.budget, figure.unit)}`,
    figure.runs && figure.runs.length > 1
      ? `min ${text(Math.min(...figure.runs), figure.unit)}, max ${text(Math.max(...figure.runs), figure.unit)}, n ${figure.runs.length}`
      : '',
    figure.baseline ?? '',
  ]);
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of rows) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

function text(value: number, unit: string): string {
  const digits = Number.isInteger(value) ? 0 : Math.abs(value) < 10 ? 2 : 1;
  return `${value.toFixed(digits)}${unit && ` ${unit}`}`;
}
