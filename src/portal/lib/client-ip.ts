/** Sent because the seed sends it; the server knows the peer and ignores it (decisions 4). */
export const CLIENT_IP = '::1';
