import type { ReactNode, Ref } from 'react';
import { otp as t } from '#texts/otp.ts';
import type { FlowState } from '#domain/flow/state.ts';
import { FormProblem } from '../../flow/form-problem.tsx';
import { StillWorking } from '../../flow/late.tsx';
import { Button } from '../../ui/button.tsx';
import { OtpBoxes, type OtpBoxesHandle } from '../../ui/otp-boxes.tsx';
import type { useOtpForm } from './use-otp-form.ts';
import styles from './verify-otp.module.css';

type CodeFormProps = {
  readonly form: ReturnType<typeof useOtpForm>['form'];
  readonly state: Extract<FlowState, { at: 'otp' }>;
  readonly boxes: Ref<OtpBoxesHandle>;
  readonly hint: string;
  /** Only a new code helps. */
  readonly isOver: boolean;
  readonly onCode: (digits: string) => void;
  /** Above the boxes. */
  readonly notice?: ReactNode;
};

/** Renders the boxes of the six digits with their button. */
export function CodeForm({ form, state, boxes, hint, isOver, onCode, notice }: CodeFormProps) {
  return (
    <form {...form.props} className={styles.code}>
      <input type="hidden" name="of" value={state.otp.userId} />
      <FormProblem problem={state.problem} />
      {notice}
      <OtpBoxes
        ref={boxes}
        name="otp"
        legend={t.legend}
        hint={hint}
        error={form.problems.otp}
        isOver={isOver}
        onCode={onCode}
      />
      <Button
        type="submit"
        variant={isOver ? 'secondary' : 'primary'}
        wide
        suppressHydrationWarning
        pending={form.isPending}
        pendingLabel={t.pending}
      >
        {t.submit}
      </Button>
      <StillWorking form={form} />
    </form>
  );
}
