/**
 * Runs in the browser: after a rest in typing it reads the page with what was typed, and replaces the parts that show it
 * (`data-typed`). Its source is put into the page as text, so it may use nothing from outside itself.
 */
export function followTyping(header: string, restMs: number): void {
  const form = document.querySelector<HTMLFormElement>('form[data-typing]');
  let timer = 0;
  let newest = 0;
  async function read(): Promise<void> {
    const typed = new URLSearchParams();
    for (const [name, value] of new FormData(form ?? undefined)) {
      if (typeof value === 'string' && !['xsrf', 'once'].includes(name)) typed.set(name, value);
    }
    const own = (newest += 1);
    const answer = await fetch(`?${String(typed)}`, {
      // The inside of the page alone: another page's style sheet has another nonce.
      headers: { [header]: '1' },
      redirect: 'manual',
    }).catch(() => null);
    if (!answer?.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (own !== newest) return;
    for (const part of document.querySelectorAll('[data-typed]')) {
      const next = fresh.querySelector(`[data-typed="${part.getAttribute('data-typed')}"]`);
      if (next) part.replaceChildren(...next.childNodes);
    }
  }
  form?.addEventListener('input', () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void read(), restMs);
  });
}
