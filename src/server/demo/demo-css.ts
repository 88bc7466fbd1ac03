/** What the demo's own pages need beside the plain pages' styles (`/plain.css`). */
export const DEMO_CSS = `
.lead { font-size: 1.25rem; line-height: 1.45; }
.cards { display: grid; gap: 1rem; margin: 1.5rem 0; }
.cards article { margin: 0; border-top: 6px solid var(--brand); border-radius: 12px; }
.cards p, article > :last-child { margin-bottom: 0; }
.button { min-height: 60px; padding: 0 1.75rem; border-radius: 12px; background: var(--brand); color: var(--on-brand); font-size: 1.17rem; font-weight: 650; text-decoration: none; }
details { margin-bottom: 1rem; }
summary { display: flow-root list-item; min-height: 48px; padding: 0.6rem 0; color: var(--brand); font-weight: 600; cursor: pointer; }
.from { display: flex; flex-wrap: wrap; gap: 0 1rem; margin-bottom: 0.5rem; }
.from b { color: var(--ink); }
.from span { overflow-wrap: anywhere; }
.code { display: flex; flex-wrap: wrap; gap: 0 1.25rem; align-items: baseline; color: var(--ink-2); }
.code b { color: var(--ink); font-size: 2.6rem; line-height: 1.2; letter-spacing: 0.06em; font-variant-numeric: tabular-nums; }
.bubble { width: fit-content; max-width: 34rem; padding: 0.9rem 1.1rem; border-radius: 18px 18px 18px 4px; background: light-dark(#dcece9, #173a3e); color: var(--ink); white-space: pre-wrap; overflow-wrap: anywhere; }
iframe { display: block; width: 100%; }
@media (min-width: 40rem) { .cards { grid-template-columns: 1fr 1fr; } }
@media (forced-colors: active) { .button { border: 2px solid LinkText; } }
`;
