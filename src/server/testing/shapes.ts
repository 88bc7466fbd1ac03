/** The shapes a careless line of code gives a text. base64 has three, by where in its input the text begins. */
export function shapesOf(secret: string): readonly string[] {
  const base64 = [0, 1, 2].map((shift) => {
    const whole = Buffer.from(`${'-'.repeat(shift)}${secret}`)
      .toString('base64')
      .replace(/=+$/, '');
    return whole.slice(shift === 0 ? 0 : 4, -2);
  });
  const base64url = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const hex = Buffer.from(secret).toString('hex');
  const turned = [...secret].toReversed().join('');
  return [
    secret,
    ...base64,
    ...base64url,
    hex,
    hex.toUpperCase(),
    encodeURIComponent(secret),
    turned,
  ];
}
