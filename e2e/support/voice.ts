import type { Page } from '@playwright/test';

/** Gives the page a device that speaks: this browser has no voice. Returns what it was asked to say. */
export async function giveVoice(
  page: Page,
  localService: boolean,
): Promise<() => Promise<string[]>> {
  await page.addInitScript((isLocal) => {
    const said: string[] = [];
    const words: unknown[] = [];
    Object.assign(window, { said, words });
    const voice = { lang: 'en-US', name: 'Test', localService: isLocal };
    Object.assign(window, {
      SpeechSynthesisUtterance: class {
        readonly text: string;
        constructor(text: string) {
          this.text = text;
        }
      },
    });
    Object.defineProperty(window, 'speechSynthesis', {
      value: {
        getVoices: () => [voice],
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
        cancel: () => said.push('(silence)'),
        speak: (utterance: { text: string }) => {
          said.push(utterance.text);
          words.push(utterance);
        },
      },
    });
  }, localService);
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said);
}
