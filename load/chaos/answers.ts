/** What passed through a balancer, sorted by what it may be. */
export type Answers = {
  note(status: number, path: string, retryAfter: string | undefined): void;
  disturb(): void;
  /** `at`: by `performance.now()`; left out, it is now. */
  calm(at?: number): void;
  /** 'status x times', of all answers. */
  summary(): string;
  /** Answers without an excuse. */
  faults(): readonly string[];
};

/** A request that began during a disturbance may end after it. */
const LINGERING_MS = 5000;
/** A code that is tried again is told so. */
const EXPECTED = new Set([403, 409]);

type Options = {
  /** A disturbance excuses nothing but 503 with Retry-After. */
  readonly isStrict?: boolean;
};

export function createAnswers({ isStrict = false }: Options = {}): Answers {
  const counts = new Map<number, number>();
  const faults: string[] = [];
  let isDisturbed = false;
  let calmSince = Number.NEGATIVE_INFINITY;
  return {
    note(status, url, retryAfter) {
      counts.set(status, (counts.get(status) ?? 0) + 1);
      const [path] = url.split('?');
      const isLingering = performance.now() - calmSince < LINGERING_MS;
      const isExcused = !isStrict && (isDisturbed || isLingering);
      if (status === 502 && !isExcused) faults.push(`nobody answered ${path}`);
      else if (status === 503 && !retryAfter) faults.push(`503 without Retry-After: ${path}`);
      else if (status >= 500 && status !== 502 && status !== 503) faults.push(`${status} ${path}`);
      else if (status >= 400 && status < 500 && !EXPECTED.has(status) && !isExcused)
        faults.push(`${status} ${path}`);
    },
    disturb: () => void (isDisturbed = true),
    calm(at = performance.now()) {
      isDisturbed = false;
      calmSince = at;
    },
    summary: () =>
      [...counts]
        .sort(([one], [other]) => one - other)
        .map(([status, times]) => `${status} x ${times}`)
        .join(', '),
    faults: () => faults,
  };
}
