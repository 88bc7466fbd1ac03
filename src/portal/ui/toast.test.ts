import { beforeEach, describe, expect, it, vi } from 'vitest';
import { currentToasts, dismissToast, showToast, subscribeToasts, TOAST_LIMIT } from './toast.ts';

describe('toasts', () => {
  beforeEach(() => {
    for (const { id } of currentToasts()) dismissToast(id);
  });

  it('[GEN-13] shows an error and a warning for 4 s, a success for 2 s', () => {
    for (const tone of ['danger', 'warning', 'success'] as const) {
      showToast(tone, tone, { isSilent: true });
    }
    expect(currentToasts().map((toast) => toast.hidesAfterMs)).toEqual([4000, 4000, 2000]);
  });

  it('[GEN-13] keeps at most 20, the newest', () => {
    for (let n = 1; n <= TOAST_LIMIT + 1; n += 1) {
      showToast('warning', `Notice ${n}`, { isSilent: true });
    }
    expect(currentToasts()).toHaveLength(20);
    expect(currentToasts()[0]?.text).toBe('Notice 2');
  });

  it('tells its listeners of each change until they leave', () => {
    const listener = vi.fn<() => void>();
    const leave = subscribeToasts(listener);
    dismissToast(showToast('success', 'Done', { isSilent: true }));
    expect(listener).toHaveBeenCalledTimes(2);
    leave();
    showToast('success', 'Again', { isSilent: true });
    expect(listener).toHaveBeenCalledTimes(2);
  });
});
