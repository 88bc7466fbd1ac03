/** A test browser: it keeps cookies, sends its origin and does not follow redirects. */

export type TestBrowser = {
  readonly cookies: Map<string, string>;
  /** Every Set-Cookie header as it came. */
  readonly setCookies: string[];
  fetch(url: string, init?: RequestInit): Promise<Response>;
  post(url: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
};

export function createBrowser(origin: string, cookies = new Map<string, string>()): TestBrowser {
  const setCookies: string[] = [];
  const browser: TestBrowser = {
    cookies,
    setCookies,
    async fetch(url, init = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = {
        ...(cookie ? { cookie } : {}),
        ...(init.headers as Record<string, string>),
      };
      const response = await fetch(new URL(url, origin), { redirect: 'manual', ...init, headers });
      for (const line of response.headers.getSetCookie()) {
        setCookies.push(line);
        const [pair = ''] = line.split(';', 1);
        const at = pair.indexOf('=');
        const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
        if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name);
        else cookies.set(name, value);
      }
      return response;
    },
    post: (url, body, headers = {}) =>
      browser.fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
  return browser;
}
