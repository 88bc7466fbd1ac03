/** What an operator reads of `porchlight leads`. */
export const leadsCommand = {
  header: ['key', 'received', 'name', 'address'],
  none: 'No leads are kept here.',
  nothing: 'There is no such lead.',
  noCrm: 'CRM_URL is not set: there is nowhere to send them.',
  confirm: 'Nothing was done. This deletes leads for good. Say so with --yes.',
  resent: '{count} will be sent when a server runs.',
  purged: '{count} deleted.',
} as const;
