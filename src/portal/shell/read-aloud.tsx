import { useState } from 'react';
import { display } from '#texts/display.ts';
import { readAloud, useVoice } from '../lib/voice.ts';
import { Button } from '../ui/button.tsx';

const BLOCKS = 'h1, h2, p, li, label, legend, summary, button, a, dt, dd';
/** Elements without page text, in another language, or with text that must not be read aloud. */
const SILENT =
  'main [lang], [aria-hidden="true"], script, style, noscript, .visually-hidden, input';

/** "Read this page to me", where the device can speak by itself. */
export function ReadAloud() {
  const voice = useVoice();
  const [isReading, setReading] = useState(false);
  if (!voice) return null;
  const read = () => {
    speechSynthesis.cancel();
    setReading(!isReading);
    if (!isReading) readAloud([readableText(document)], voice, (at) => setReading(at !== null));
  };
  return (
    <Button variant="secondary" icon="volume-2" onClick={read}>
      {isReading ? display.readStop : display.read}
    </Button>
  );
}

/** Returns the visible text of the main part, a sentence each. Input is left out, because others may hear it. */
function readableText(page: Document): string {
  const main = page.querySelector('main');
  const words = [...(main?.querySelectorAll<HTMLElement>(BLOCKS) ?? [])]
    .filter((block) => !block.closest(SILENT) && !block.parentElement?.closest(BLOCKS))
    .filter((block) => block.getClientRects().length > 0)
    .map((block) => block.innerText.replace(/\s+/g, ' ').trim())
    .filter(Boolean);
  return words.map((each) => (/[.!?:]$/.test(each) ? each : `${each}.`)).join(' ');
}
