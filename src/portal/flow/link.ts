import type { MouseEvent } from 'react';
import { useAppContext, useView } from './app-context.ts';
import { withCarriedQuery } from './view.ts';

/**
 * Returns props that make an `<a>` a link of the portal: no page load, and the screen's chunk loads on hover or focus.
 */
export function useLink(href: string) {
  const { go, preload } = useAppContext();
  const { search } = useView();
  const ahead = () => preload(href);
  return {
    href: withCarriedQuery(href, search),
    onPointerEnter: ahead,
    onFocus: ahead,
    onClick: (event: MouseEvent) => {
      const wantsOwnTab = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
      if (wantsOwnTab || event.button !== 0 || event.defaultPrevented) return;
      if (go(href)) event.preventDefault();
    },
  };
}
