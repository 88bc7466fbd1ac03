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
 * - A form sent before hydration is held and marked busy; `useForm` sends it once the page is hydrated. When the bundle
 *   does not load, throws, or takes too long, the form goes as it is, and the server answers it (decision 124).
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
  let isBroken = false;
  const letGo = () => {
    if (window.porchlightHydrated) return;
    isBroken = true;
    const held = document.forms.namedItem(window.porchlightHeldForm ?? '');
    delete window.porchlightHeldForm;
    held?.submit();
  };
  document.addEventListener(
    'submit',
    (event) => {
      const form = event.target;
      if (window.porchlightHydrated || isBroken || !(form instanceof HTMLFormElement)) return;
      // A button is answered by the server at once; nothing typed is lost by it.
      if (form.id === 'action') return;
      event.preventDefault();
      window.porchlightHeldForm = form.id;
      form.setAttribute('aria-busy', 'true');
      setTimeout(letGo, 8000);
    },
    true,
  );
  for (const fault of ['error', 'unhandledrejection']) {
    addEventListener(
      fault,
      (event) => (event.target as Element).tagName !== 'IMG' && letGo(),
      true,
    );
  }
}
