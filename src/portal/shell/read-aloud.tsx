import { useState } from 'react';
import { display } from '#texts/display.ts';
import { readAloud, useVoice } from '../lib/voice.ts';
import { Button } from '../ui/button.tsx';
import { readableText } from './readable-text.ts';

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
