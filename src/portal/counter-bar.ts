/**
 * The script of the bar, in a shared device's browser alone. Its source is sent as text, so it may use nothing from
 * outside itself. The server counts: this draws the server's clock, tells it of keys and presses, and leaves the page
 * when the time is over.
 */
export function runBar(): void {
  const bar = document.getElementById('counter');
  if (!bar) return;
  const { active = '', next = '', soon: soonText = '', minutes = '' } = bar.dataset;
  const clocks = [...bar.querySelectorAll('[data-time]')];
  const [alert, status] = bar.querySelectorAll('.counter-said');
  const more = bar.querySelector<HTMLElement>('.counter-more');
  const ring = bar.querySelector('.counter-left');
  let asks = Number(bar.dataset.asks);
  // The answer of the server is older than this line, and so the page is never earlier than the server.
  let deadline = Date.now() + Number(bar.dataset.left) + 500;
  let whole = Number(bar.dataset.left);
  let toldAt = 0;
  let waits = 0;
  let isOver = false;
  let isFinishing = false;
  let said = '';

  const wipe = () => {
    try {
      localStorage.clear();
      sessionStorage.clear();
    } catch {
      // There is no storage.
    }
  };
  const leave = () => {
    // The server has cleared the device perhaps: leaving now would call off its answer, which wipes the cookies.
    if (isFinishing) return;
    isOver = true;
    document.body.hidden = true;
    wipe();
    location.replace(next);
  };
  const take = (time: { remainingMs: number; asksMs: number; canExtend: boolean }) => {
    if (time.remainingMs === 0) return leave();
    deadline = Date.now() + time.remainingMs + 500;
    whole = Math.max(whole, time.remainingMs);
    asks = time.asksMs;
    if (more) more.hidden = !time.canExtend;
  };
  /** `POST`: a key or a press. `GET`: how much is left, after another window may have moved it. */
  const ask = (method: 'GET' | 'POST') =>
    fetch(active, { method, cache: 'no-store' }).then(async (answer) => {
      if (answer.ok) take((await answer.json()) as Parameters<typeof take>[0]);
      // Its mode was ended elsewhere.
      else if (answer.status === 404) leave();
    });

  const tell = () => {
    waits = 0;
    toldAt = Date.now();
    // Without a line the server's clock goes on, and so does this one.
    ask('POST').then(draw, () => undefined);
  };
  const touched = () => {
    if (isOver || isFinishing || waits) return;
    const pause = bar.classList.contains('counter-soon') ? 0 : toldAt + 5000 - Date.now();
    if (pause <= 0) tell();
    else waits = setTimeout(tell, pause) as unknown as number;
  };

  function draw(): void {
    if (isOver || !bar) return;
    const left = Math.max(0, deadline - 500 - Date.now());
    const seconds = Math.ceil(left / 1000);
    const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    for (const clock of clocks) clock.textContent = text;
    ring?.setAttribute('stroke-dasharray', `${Math.min(100, (100 * left) / whole)} 100`);
    const isSoon = left <= asks;
    if (isSoon !== bar.classList.contains('counter-soon')) turn(isSoon);
    if (status && seconds === 120 && said !== 'two') {
      said = 'two';
      status.textContent = minutes;
    }
    if (seconds > 121) said = '';
  }

  function turn(isSoon: boolean): void {
    bar?.classList.toggle('counter-soon', isSoon);
    if (alert) alert.textContent = isSoon ? soonText : '';
    for (const words of document.querySelectorAll<HTMLElement>('#root [data-caption]')) {
      words.hidden = (words.dataset.caption === 'soon') !== isSoon;
    }
    for (const door of document.querySelectorAll<HTMLElement>('#root [data-door]')) {
      const { door: state = '', open } = door.dataset;
      if (isSoon && state === 'wide') Object.assign(door.dataset, { door: 'half', open: '' });
      else if (!isSoon && open !== undefined) {
        door.dataset.door = 'wide';
        delete door.dataset.open;
      }
    }
  }

  setInterval(() => {
    draw();
    if (isOver || isFinishing || Date.now() < deadline) return;
    isOver = true;
    ask('GET').then(() => {
      isOver = Date.now() >= deadline;
      if (isOver) leave();
    }, leave);
  }, 250);
  for (const sign of ['keydown', 'pointerdown', 'click']) {
    addEventListener(sign, touched, { capture: true, passive: true });
  }
  bar.querySelector('form')?.addEventListener('submit', () => {
    isFinishing = true;
    // Without an answer the page stays, and so does the clock.
    setTimeout(() => (isFinishing = false), 10_000);
    wipe();
  });
  // A snapshot of this page would show the last person.
  addEventListener('pagehide', () => {
    document.body.hidden = true;
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
  if (more) more.hidden = bar.dataset.more !== 'true';
  draw();
}
