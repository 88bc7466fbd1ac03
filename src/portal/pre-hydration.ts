declare global {
  interface Window {
    /** True once React handles the page's events. */
    porchlightHydrated?: boolean;
    /** The id of the form that was sent before that; `useForm` sends it again. */
    porchlightHeldForm?: string;
  }
}

/**
 * Runs inline in the head, before the first paint and long before the bundle.
 * Its source is put into the page as it stands, so it may use nothing from outside itself.
 * - The visitor's colours and text size are there from the first paint: no flash, no jump.
 * - After a reload a page of success says what it said before (flow/done-message.tsx).
 * - A form sent before hydration is held and marked busy; `useForm` sends it once the page is hydrated.
 */
export function installPreHydration(): void {
  const root = document.documentElement;
  const known = {
    theme: ['porchlight.theme', 'light dark'],
    textSize: ['porchlight.textSize', 'large largest'],
    untimed: ['porchlight.calm', 'on'],
  };
  for (const [name, [key, values]] of Object.entries(known)) {
    try {
      const value = localStorage.getItem(key ?? '');
      if (value && (values ?? '').split(' ').includes(value)) root.dataset[name] = value;
    } catch {
      // No storage, no choices: the defaults stand.
    }
  }
  const { done } = (history.state ?? {}) as { readonly done?: unknown };
  if (['created', 'oldPassword', 'passwordSet'].includes(done as string)) {
    root.dataset.done = done as string;
  }
  document.addEventListener(
    'submit',
    (event) => {
      if (window.porchlightHydrated || !(event.target instanceof HTMLFormElement)) return;
      event.preventDefault();
      window.porchlightHeldForm = event.target.id;
      event.target.setAttribute('aria-busy', 'true');
    },
    true,
  );
}
