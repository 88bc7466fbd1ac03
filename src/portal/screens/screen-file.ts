import type { ScreenName } from '#domain/screens.ts';

/** Where a screen's module is, from its name: `signIn` is in `sign-in/sign-in-screen.tsx`. Only the server needs it. */
export function screenFile(name: ScreenName): string {
  const folder = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `${folder}/${folder}-screen.tsx`;
}
