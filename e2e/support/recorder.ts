import type { Page, Request } from '@playwright/test';

export type Call = {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
};

export type Recorder = {
  /** The calls to a path so far, in order. */
  to: (path: string) => readonly Call[];
  /** Every call so far. */
  all: () => readonly Call[];
};

/** Writes down each call to the backend. */
export function recordApi(page: Page): Recorder {
  const calls: Call[] = [];
  page.on('request', (request) => {
    const path = pathOf(request);
    if (path.startsWith('/api/')) {
      calls.push({ method: request.method(), path, body: request.postDataJSON() as unknown });
    }
  });
  return {
    to: (path) => calls.filter((call) => call.path === path),
    all: () => calls,
  };
}

function pathOf(request: Request): string {
  return new URL(request.url()).pathname;
}
