/** Replaces the page by another address, without a Referer (HND-04). */
export function leave(url: string): void {
  const meta = document.createElement('meta');
  meta.name = 'referrer';
  meta.content = 'no-referrer';
  document.head.append(meta);
  location.replace(url);
}
