import { useEffect, useRef } from 'react';
import { otp as t } from '#texts/otp.ts';
import type { FlowState } from '#domain/flow/state.ts';
import { doorAtCode } from '#domain/looks/porch-door.ts';
import { useAppContext } from '../../flow/app-context.ts';
import { StillWorking } from '../../flow/late.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { CallUs, Face } from './choice-parts.tsx';
import { CodeForm } from './code-form.tsx';
import { deadOtpText, useOtpForm, useRecoveryForm } from './use-otp-form.ts';
import { useCountdown } from './use-countdown.ts';
import cards from './envelopes.module.css';
import choices from './choices.module.css';

type AppConversationProps = { readonly state: Extract<FlowState, { at: 'otp' }> };

/** Shows the code page of an account with an app: nothing is sent, and nothing has to be waited for. */
export function AppConversation({ state }: AppConversationProps) {
  const { door } = useAppContext();
  const { deadline, otp, step, problem } = state;
  const again = useRef<HTMLButtonElement>(null);
  const { form, boxes, askFor } = useOtpForm();
  const remaining = useCountdown({ deadline, firstMs: otp.remainingMs, onMoreTime: undefined });
  const dead = deadOtpText(problem);
  const isOver = remaining <= 0 || dead !== null;
  useEffect(() => {
    if (!isOver) return;
    door.set(doorAtCode(0, true));
    if (dead) again.current?.focus();
  }, [isOver, dead, door]);

  return (
    <>
      <section className={isOver ? `${cards.card} ${cards.lost}` : cards.card}>
        {isOver ? (
          <>
            <h2 className={cards.over}>
              <Icon name="clock" />
              {t.appOver}
            </h2>
            <p id="otp-err">{dead ?? t.appLate}</p>
            <Button
              ref={again}
              icon="refresh-cw"
              pending={step === 'resending'}
              action="resend"
              onClick={() => askFor({ type: 'resendAsked' }, t.sent[5])}
            >
              {t.appAgain}
            </Button>
          </>
        ) : (
          <>
            <h2>{t.sent[5]}</h2>
            <ul className={cards.envelopes}>
              <li className={cards.arrived}>
                <span className={cards.tile}>
                  <Icon name="smartphone" size="s" />
                </span>
                <b>{t.appName}</b> <span className={cards.where}>{t.appText}</span>{' '}
                <span className={cards.state}>{t.appSilent}</span>
              </li>
            </ul>
          </>
        )}
      </section>
      <CodeForm
        form={form}
        state={state}
        boxes={boxes}
        hint={isOver ? t.appOver : t.appHint}
        isOver={isOver}
        onCode={({ length }) => door.set(doorAtCode(length, isOver))}
      />
      <NoApp of={otp.userId} />
    </>
  );
}

/** Offers "I do not have my app": a recovery code, or whom to call. Mail takes its place in no case. */
function NoApp({ of }: { readonly of: number }) {
  const form = useRecoveryForm();
  const { recovery } = form.problems;
  return (
    <section className={`${choices.choices} ${choices.alone}`} aria-label={t.choices}>
      {/* The answer to a form without script shows its problem; in a browser the person opens and shuts it. */}
      <details
        className={choices.details}
        open={(import.meta.env.SSR && recovery !== undefined) || undefined}
      >
        <summary className={choices.choice}>
          <Face icon="circle-question-mark" title={t.noApp}>
            {t.noAppLine}
          </Face>
          <Icon name="chevron-down" className={choices.chevron} />
        </summary>
        <div className={choices.panel} data-help>
          <form {...form.props}>
            <input type="hidden" name="of" value={of} />
            <TextField
              name="recovery"
              label={t.recovery}
              hint={t.recoveryHint}
              inputMode="numeric"
              autoComplete="off"
              error={recovery}
            />
            <Button
              type="submit"
              variant="secondary"
              pending={form.isPending}
              pendingLabel={t.pending}
            >
              {t.useRecovery}
            </Button>
            <StillWorking form={form} />
          </form>
          <CallUs lead={t.noSheet} />
        </div>
      </details>
    </section>
  );
}
