import { useLayoutEffect, useRef, useState } from 'react';
import { delivery as t } from '#texts/delivery.ts';
import { readAloud, useVoice } from '../../lib/voice.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from './envelopes.module.css';

type Reading = { readonly texts: readonly string[]; readonly at: number };

/**
 * The button that reads the card aloud, where the device can speak by itself. It never begins by itself, and what it
 * reads has no code in it. Sighted people follow the sentences, which stand in place of the envelopes meanwhile.
 * @param textsNow returns what to read
 */
export function Ear({ textsNow }: { readonly textsNow: () => readonly string[] }) {
  const voice = useVoice();
  const button = useRef<HTMLButtonElement>(null);
  const [reading, setReading] = useState<Reading | null>(null);
  const isReading = reading !== null;
  const isThere = voice !== undefined;
  useLayoutEffect(() => {
    const ear = button.current;
    return () => {
      // News may remove it under a finger.
      if (ear && document.activeElement === ear) document.getElementById('otp')?.focus();
    };
  }, [isThere]);
  useLayoutEffect(() => (isReading ? () => speechSynthesis.cancel() : undefined), [isReading]);
  if (!voice) return null;
  const press = () => {
    if (isReading) return setReading(null);
    const texts = textsNow();
    setReading({ texts, at: 0 });
    readAloud(texts, voice, (at) =>
      setReading((now) => (now && at !== null ? { texts, at } : null)),
    );
  };
  return (
    <div className={styles.ear}>
      <button ref={button} type="button" onClick={press}>
        <Icon name={isReading ? 'square' : 'ear'} />
        <span className="visually-hidden">{isReading ? t.earStop : t.ear}</span>
      </button>
      {isReading && (
        <p>
          {reading.texts.map((text, at) => (
            <span key={text}>{at === reading.at ? <mark>{text}</mark> : text} </span>
          ))}
        </p>
      )}
    </div>
  );
}
