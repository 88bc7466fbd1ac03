import type { ScreenName } from '#domain/flow/screens.ts';

/** Returns the file of a screen's module: `signIn` is in `sign-in/sign-in-screen.tsx`. Used only by the server. */
export function screenFile(name: ScreenName): string {
  const folder = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `${folder}/${folder}-screen.tsx`;
}
