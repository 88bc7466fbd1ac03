import { useEffect, useState } from 'react';
import { display } from '#texts/display.ts';
import { language } from '#texts/language.ts';
import { Button } from '../ui/button.tsx';
import { readableText } from './readable-text.ts';

/** Returns a voice of this device for the page's language: the page's text must not go to a service of the browser's maker. */
function localVoice(): SpeechSynthesisVoice | undefined {
  const voices = 'speechSynthesis' in window ? speechSynthesis.getVoices() : [];
  return voices.find(
    ({ lang, localService }) =>
      localService && lang.slice(0, 2).toLowerCase() === language.slice(0, 2),
  );
}

/** "Read this page to me", where the device can speak by itself. */
export function ReadAloud() {
  const [voice, setVoice] = useState(localVoice);
  const [isReading, setReading] = useState(false);
  useEffect(() => {
    if (!('speechSynthesis' in window)) return;
    // Browsers load their voices late.
    const look = () => setVoice(localVoice());
    look();
    speechSynthesis.addEventListener('voiceschanged', look);
    return () => speechSynthesis.removeEventListener('voiceschanged', look);
  }, []);
  if (!voice) return null;
  const read = () => {
    speechSynthesis.cancel();
    if (isReading) return setReading(false);
    const words = new SpeechSynthesisUtterance(readableText(document));
    words.voice = voice;
    words.lang = voice.lang;
    words.onend = () => setReading(false);
    words.onerror = words.onend;
    setReading(true);
    speechSynthesis.speak(words);
    addEventListener('pagehide', () => speechSynthesis.cancel(), { once: true });
  };
  return (
    <Button variant="secondary" icon="volume-2" onClick={read}>
      {isReading ? display.readStop : display.read}
    </Button>
  );
}
