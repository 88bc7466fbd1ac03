/** Names of roles that differ from those of `ROLES`, which are the English ones. */
export const roleNames: Readonly<Record<number, string>> = {};
