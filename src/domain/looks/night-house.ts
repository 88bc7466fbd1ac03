/** A window of the house: lit for a device that is signed in, dark for one that was. */
export type Light = {
  /** A word that fits on its plate; `null`: none is known. */
  readonly name: string | null;
  /** The device of this page. */
  readonly isHere: boolean;
  /** Its session has just ended. */
  readonly isOut?: boolean;
};

/** Returns the light of each window, this device's first; `null`: it is dark. The last one counts what finds no window. */
export function houseWindows(lights: readonly Light[], windows: number): readonly (Light | null)[] {
  const sorted = [...lights].sort((one, other) => Number(other.isHere) - Number(one.isHere));
  const rest = sorted.length - windows;
  return Array.from({ length: windows }, (_, index) => {
    if (rest > 0 && index === windows - 1) return { name: `+${rest + 1}`, isHere: false };
    return sorted[index] ?? null;
  });
}
