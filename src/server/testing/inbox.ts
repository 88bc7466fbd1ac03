/** A message of the dev inbox (DEM-03). */
export type InboxMessage = {
  readonly channel: 'email' | 'sms' | 'whatsapp' | 'voice';
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly sentAt: string;
  readonly code: string | null;
  readonly link: string | null;
  /** Of a call: where a press on the phone's keypad goes. */
  readonly press?: string;
};

/** Newest first. */
export async function readInbox(url: string, to: string): Promise<readonly InboxMessage[]> {
  const response = await fetch(new URL(`/dev/inbox.json?to=${encodeURIComponent(to)}`, url));
  return (await response.json()) as readonly InboxMessage[];
}

/** The newest code that was sent to this address. */
export async function newestCode(url: string, email: string): Promise<string> {
  const code = (await readInbox(url, email)).find((message) => message.code !== null)?.code;
  if (!code) throw new Error(`No code was sent to ${email}`);
  return code;
}
