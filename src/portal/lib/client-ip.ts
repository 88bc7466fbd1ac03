/** The wire has this field; the server knows the peer's address and ignores it (SRV-19). */
export const CLIENT_IP = '::1';
