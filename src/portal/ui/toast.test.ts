import { beforeEach, describe, expect, it, vi } from 'vitest';
import { showToast, TOAST_MS } from './show-toast.ts';
import { dismissToast, toastStore } from './toast.ts';

describe('the toast', () => {
  beforeEach(() => dismissToast());

  it.each([
    ['danger', 4000],
    ['warning', 4000],
    ['success', 2000],
    ['info', 3000],
  ] as const)('[GEN-13] %s shows for %d ms', (tone, ms) => {
    expect(TOAST_MS[tone]).toBe(ms);
  });

  it('[V1] [GEN-13] is one at a time: a newer one takes its place', () => {
    for (let n = 1; n <= 21; n += 1) showToast('warning', `Notice ${n}`, { isSilent: true });
    expect(toastStore.get()?.text).toBe('Notice 21');
    dismissToast();
    expect(toastStore.get()).toBeNull();
  });

  it('[V1] goes with the words that it says, and with no others', () => {
    showToast('warning', 'OTP Expired', { isSilent: true });
    dismissToast('Invalid Otp.');
    expect(toastStore.get()?.text).toBe('OTP Expired');
    dismissToast('OTP Expired');
    expect(toastStore.get()).toBeNull();
  });

  it('tells its listeners of each change until they leave', () => {
    const listener = vi.fn<() => void>();
    const leave = toastStore.subscribe(listener);
    showToast('success', 'Done', { isSilent: true });
    dismissToast();
    dismissToast();
    expect(listener).toHaveBeenCalledTimes(2);
    leave();
    showToast('success', 'Again', { isSilent: true });
    expect(listener).toHaveBeenCalledTimes(2);
  });
});
