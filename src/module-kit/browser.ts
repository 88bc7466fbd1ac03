const TIMEOUT_MS = 15_000;
const MOST_REDIRECTS = 5;

export type Answer = {
  /** `null`: there was no answer at all. */
  readonly status: number | null;
  readonly headers: Headers;
  readonly text: string;
  /** Where it leads to, or where it was. */
  readonly url: URL;
};

type Cookies = ReadonlyMap<string, string>;

export type CheckBrowser = {
  /** By their names, as they stand now. */
  readonly cookies: Cookies;
  /** One answer, redirects not followed. */
  ask(url: string | URL, method?: 'GET' | 'POST'): Promise<Answer>;
  /** Follows redirects as long as they stay at the module: the first answer, and the last. */
  go(url: string | URL): Promise<{ readonly first: Answer; readonly last: Answer }>;
};

/** A browser with nothing but cookies; those that are planted it has from the start. */
export function createCheckBrowser(planted: Cookies = new Map()): CheckBrowser {
  const cookies = new Map(planted);

  async function ask(url: string | URL, method: 'GET' | 'POST' = 'GET'): Promise<Answer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const { origin } = new URL(url);
    const headers = {
      accept: 'text/html',
      ...(cookie && { cookie }),
      ...(method === 'POST' && { origin, 'sec-fetch-site': 'same-origin' }),
    };
    const body = method === 'POST' ? { body: new URLSearchParams() } : {};
    const answer = await call(url, { method, headers, ...body });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';');
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
      const isGone = value === '' || attributes.some((each) => /^\s*max-age=0\s*$/i.test(each));
      if (isGone) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }

  return {
    cookies,
    ask,
    async go(url) {
      const { origin } = new URL(url);
      const first = await ask(url);
      let last = first;
      for (let count = 0; count < MOST_REDIRECTS; count += 1) {
        if (!isRedirect(last) || last.url.origin !== origin) break;
        last = await ask(last.url);
      }
      return { first, last };
    },
  };
}

export const isRedirect = ({ status }: Answer): boolean =>
  status !== null && status >= 300 && status < 400;

/** One request; an answer that does not come is one, too. */
export async function call(url: string | URL, init: RequestInit): Promise<Answer> {
  const at = new URL(url);
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(at, { ...init, redirect: 'manual', signal });
    const { status, headers } = response;
    const location = headers.get('location');
    const isFurther = status >= 300 && status < 400 && location !== null;
    return {
      status,
      headers,
      text: await response.text(),
      url: isFurther && URL.canParse(location, at.href) ? new URL(location, at) : at,
    };
  } catch {
    return { status: null, headers: new Headers(), text: '', url: at };
  }
}
