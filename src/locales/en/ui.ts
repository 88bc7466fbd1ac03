/** Texts of the building blocks that every screen shares. */
export const ui = {
  required: '* means required',
  optional: '(optional)',
  errorTitlePrefix: 'Error: ',
  problemTitle: 'There is a problem',
  close: 'Close',
  offline:
    'You seem to be offline. Your answers are still here. We will let you try again when you are back online.',
  stillWorking: 'Still working. Please keep this page open.',

  password: {
    show: 'Show',
    hide: 'Hide',
    showLabel: 'Show {field}',
    hideLabel: 'Hide {field}',
    nowVisible: 'Your password is visible',
    nowHidden: 'Your password is hidden',
  },

  toasts: {
    region: 'Notices',
    more: '{count} more',
  },
} as const;
