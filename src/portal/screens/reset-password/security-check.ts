import { useRef } from 'react';
import { passwords as texts } from '#locales/en/passwords.ts';
import { useAppContext } from '../../flow/app-context.ts';
import { type SolvedCaptcha, solveCaptcha } from '../../lib/captcha.ts';
import { announce } from '../../ui/live-region.tsx';

/** A captcha refresh follows every failure (PWD-08): the next try brings its proof along. */
export function useSecurityCheck() {
  const { api } = useAppContext();
  const running = useRef<Promise<SolvedCaptcha> | null>(null);
  return {
    refresh(): void {
      const next = solveCaptcha(api, 'resetPassword');
      running.current = next;
      void next.then(({ kind }) => {
        if (kind === 'ok') announce(texts.securityRefreshed);
      });
    },
    /** What the next try carries; without a proof the server asks for one, if it wants one. */
    async take(): Promise<{ readonly headers?: Readonly<Record<string, string>> }> {
      const proven = await running.current;
      running.current = null;
      return proven?.kind === 'ok' ? { headers: proven.data } : {};
    },
  };
}
