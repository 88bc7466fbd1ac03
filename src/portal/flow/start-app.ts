import { setItem, getItem, toSubtenant } from '../lib/storage.ts';
import type { AppContextValue } from './app-context.ts';
import { forgetDeadBearer } from './bearer.ts';

/** Starts listeners and effects once the page is hydrated. @returns the function that stops them. */
export function startApp(context: AppContextValue): () => void {
  const { boot, prepare, reopen, subtenant, resume } = context;
  forgetDeadBearer(boot.visit);
  const onPageShow = (event: PageTransitionEvent) => {
    if (event.persisted) void reopen();
  };
  const onPopState = () => void reopen();
  // A link or session storage may name another subtenant than the server chose.
  subtenant.subscribe(() => {
    import('../lib/accent.ts').then(
      ({ applyAccent }) => applyAccent(subtenant.get().accent),
      // The server's colours stay.
      () => undefined,
    );
  });
  addEventListener('popstate', onPopState);
  addEventListener('pageshow', onPageShow);
  // The visitor begins to use the page: preload the runner before a button is pressed.
  addEventListener('focusin', prepare, { once: true });
  // The touch that woke the page, or a browser that saved a key: its email field shows keys.
  if (document.activeElement?.id === 'email' || getItem('savedKey')) prepare();
  const card = document.getElementById('help-card');
  const fillCard = () => {
    if (!card?.matches(':popover-open')) return;
    // Without the script the card leads to the help page.
    import('./page-code.ts').then(({ fillHelpCard }) => fillHelpCard(card, context)).catch(ignore);
  };
  if (card?.hidePopover) {
    card.addEventListener('toggle', fillCard);
    fillCard();
  }
  // Without an answer the server's brand stays.
  settleSubtenant(context).catch(() => undefined);
  resume();
  return () => {
    card?.removeEventListener('toggle', fillCard);
    removeEventListener('popstate', onPopState);
    removeEventListener('pageshow', onPageShow);
    removeEventListener('focusin', prepare);
  };
}

const ignore = () => undefined;

/**
 * Selects the subtenant (GEN-04, GEN-11): query, else session storage, else the server's choice; fetched once a
 * session.
 */
async function settleSubtenant({ api, boot, subtenant }: AppContextValue): Promise<void> {
  const cached = getItem('subtenantDetails');
  if (cached && !boot.isSubtenantNamed && cached.subtenantId !== boot.subtenant.id) {
    subtenant.set(toSubtenant(cached));
  }
  const { id } = subtenant.get();
  if (cached?.subtenantId === id) return;
  const result = await api.call('getSubtenant', { body: { subtenantId: id, isActive: true } });
  const [details] = result.kind === 'ok' ? result.data : [];
  if (details && subtenant.get().id === id) setItem('subtenantDetails', details);
}
