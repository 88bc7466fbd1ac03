import { useEffect, useState } from 'react';
import { language } from '#texts/language.ts';

/** Returns a voice of this device for the page's language: the page's text must not go to a service of the browser's maker. */
function localVoice(): SpeechSynthesisVoice | undefined {
  const voices = 'speechSynthesis' in window ? speechSynthesis.getVoices() : [];
  return voices.find(
    ({ lang, localService }) =>
      localService && lang.slice(0, 2).toLowerCase() === language.slice(0, 2),
  );
}

/** Returns the voice of this device; `undefined` where it cannot speak by itself. */
export function useVoice(): SpeechSynthesisVoice | undefined {
  const [voice, setVoice] = useState(localVoice);
  useEffect(() => {
    if (!('speechSynthesis' in window)) return;
    // Browsers load their voices late.
    const look = () => setVoice(localVoice());
    look();
    speechSynthesis.addEventListener('voiceschanged', look);
    return () => speechSynthesis.removeEventListener('voiceschanged', look);
  }, []);
  return voice;
}

/** Reads texts aloud, one after the other. `onText` is told the place of each, and `null` at the end. */
export function readAloud(
  texts: readonly string[],
  voice: SpeechSynthesisVoice,
  onText: (at: number | null) => void,
): void {
  for (const [at, text] of texts.entries()) {
    const words = new SpeechSynthesisUtterance(text);
    words.voice = voice;
    words.lang = voice.lang;
    words.onstart = () => onText(at);
    words.onend = () => at === texts.length - 1 && onText(null);
    words.onerror = () => onText(null);
    speechSynthesis.speak(words);
  }
  addEventListener('pagehide', () => speechSynthesis.cancel(), { once: true });
}
