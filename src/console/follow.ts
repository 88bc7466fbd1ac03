/**
 * Runs in the browser: every few seconds it reads the page again and replaces its parts that follow along (`data-live`).
 * It ends with the session. Its source is put into the page as text, so it may use nothing from outside itself.
 */
export function followPage(header: string, everyMs: number): void {
  async function read(): Promise<void> {
    if (document.hidden) return;
    const answer = await fetch(location.href, {
      headers: { [header]: '1' },
      redirect: 'manual',
    }).catch(() => null);
    // No connection, or the server is away: the next round tries again.
    if (answer === null || answer.status >= 500) return;
    // The session or the page is over: the next press says so.
    if (!answer.ok) return clearInterval(timer);
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const icons = fresh.getElementById('icons');
    if (icons) document.getElementById('icons')?.replaceWith(icons);
    for (const part of document.querySelectorAll('[data-live]')) {
      const next = fresh.querySelector(`[data-live="${part.getAttribute('data-live')}"]`);
      // A part that has the keyboard's focus stays until the focus leaves it.
      if (!next || part.contains(document.activeElement) || part.innerHTML === next.innerHTML) {
        continue;
      }
      part.replaceChildren(...next.childNodes);
    }
  }
  const timer = setInterval(() => void read(), everyMs);
}
