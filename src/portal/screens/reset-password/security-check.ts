import { useRef } from 'react';
import { passwords as t } from '#texts/passwords.ts';
import { useAppContext } from '../../flow/app-context.ts';
import { type SolvedCaptcha, solveCaptcha } from '../../lib/captcha.ts';
import { announce } from '../../ui/live-region.tsx';

/** Solves a new captcha after every failure (PWD-08), so that the next try carries its solution. */
export function useSecurityCheck() {
  const { api } = useAppContext();
  const running = useRef<Promise<SolvedCaptcha> | null>(null);
  return {
    refresh(): void {
      const solving = solveCaptcha(api, 'resetPassword');
      running.current = solving;
      void solving.then(({ kind }) => {
        if (kind === 'ok') announce(t.securityRefreshed);
      });
    },
    /** Returns the headers of the next try; without a solution the server asks for one where it needs it. */
    async take(): Promise<{ readonly headers?: Readonly<Record<string, string>> }> {
      const solved = await running.current;
      running.current = null;
      return solved?.kind === 'ok' ? { headers: solved.data } : {};
    },
  };
}
