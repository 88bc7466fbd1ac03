export type Report = {
  say(text: string): void;
  count(what: string, value: number | string): void;
  /** Something that has to be so: without faults it is. */
  check(what: string, faults: readonly string[]): void;
  table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void;
  /** How many checks found a fault. */
  failed(): number;
};

/** Of a fault that happens a thousand times the first ones tell enough. */
const SHOWN = 5;

export function createReport(): Report {
  let failed = 0;
  return {
    say: (text) => console.log(text),
    count: (what, value) => console.log(`      ${what}: ${value}`),
    check(what, faults) {
      if (faults.length > 0) failed += 1;
      console.log(`${faults.length === 0 ? 'ok    ' : 'FAULT '}${what}: ${faults.length}`);
      for (const fault of faults.slice(0, SHOWN)) console.log(`        ${fault}`);
    },
    table(head, rows) {
      const cells = [head, ...rows].map((row) => row.map(String));
      const widths = head.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
      for (const row of cells)
        console.log(
          row
            .map((cell, at) => cell.padEnd(widths[at] ?? 0))
            .join('  ')
            .trimEnd(),
        );
    },
    failed: () => failed,
  };
}
