import { parseSync, type Plugin } from 'vite';

/** The release in which every call of what is taken out was read: see decision 132. */
const READ_IN = '19.3.1';

/**
 * Functions of React DOM that nothing in the portal can reach. A view transition needs a `<ViewTransition>`; a resource
 * needs a `<link>`, `<meta>`, `<script>`, `<style>` or `<title>` that React draws, or a call to react-dom; the indicator
 * needs a transition. The lint rules of the portal refuse these.
 */
const UNREACHED =
  /ViewTransition|^(?:acquireResource|defaultOnDefaultTransitionIndicator|estimateBandwidth|getHydratableHoistableCache|getResource|isHostHoistableType|preconnect|prefetchDNS|preinitModuleScript|preinitScript|preinitStyle|preload|preloadModule|suspendResource)$/;

/** What the ref of a fragment can do: fragments here have none. */
const METHOD_OF_FRAGMENT = /^FragmentInstance\.prototype\./;

/** React DOM's published file without the inside of these functions. The minifier takes away what they alone called. */
export function lighten(code: string): string {
  if (!code.includes(`exports.version = "${READ_IN}"`)) {
    throw new Error(
      `tools/lighter-react.ts was read against React ${READ_IN}: see that its functions still do what it says.`,
    );
  }
  let rest = '';
  let end = 0;
  const leaveOut = (part: { start: number; end: number }, instead: string): void => {
    rest += code.slice(end, part.start) + instead;
    end = part.end;
  };
  for (const part of parseSync('react-dom.js', code, { sourceType: 'script' }).program.body) {
    if (part.type === 'FunctionDeclaration' && part.body && UNREACHED.test(part.id?.name ?? '')) {
      leaveOut(part.body, '{}');
    } else if (METHOD_OF_FRAGMENT.test(code.slice(part.start, part.end))) {
      leaveOut(part, '');
    }
  }
  return rest + code.slice(end);
}

/** React's releases have no switches for what a page does not use: without it every visit is 7 KiB lighter. */
export const lighterReact: Plugin = {
  name: 'porchlight:lighter-react',
  apply: 'build',
  transform: {
    filter: { id: /\/react-dom-client\.production\.js$/ },
    handler: (code) => ({ code: lighten(code), map: null }),
  },
};
