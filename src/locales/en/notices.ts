/** Texts of the toasts, whose chunk most visits never load. */
export const notices = {
  label: 'Notices',
  close: 'Close',
} as const;
