import type { MouseEvent } from 'react';
import { usePortal, useView } from './app-context.ts';
import { withCarried } from './view.ts';

/** What turns an `<a>` into a link of the portal: no page load, and the screen's code is on its way early. */
export function useLink(href: string) {
  const { go, preload } = usePortal();
  const { search } = useView();
  const ahead = () => preload(href);
  return {
    href: withCarried(href, search),
    onPointerEnter: ahead,
    onFocus: ahead,
    onClick: (event: MouseEvent) => {
      const wantsOwnTab = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
      if (wantsOwnTab || event.button !== 0 || event.defaultPrevented) return;
      if (go(href)) event.preventDefault();
    },
  };
}
