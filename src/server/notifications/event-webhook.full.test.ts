import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const PAGE = new URL('../../../docs/operations/events.md', import.meta.url);

test('[OPS-60] the Python of the page knows what is from Porchlight', () => {
  const [, source = ''] = /```python\n(.*?)```/s.exec(readFileSync(PAGE, 'utf8')) ?? [];
  const key = Buffer.from('a key of this test that is long enough');
  const body = '{"type":"account.made"}';
  const at = String(Math.floor(Date.now() / 1000));
  const mac = createHmac('sha256', key).update(`id.${at}.${body}`).digest('base64');
  const headers = {
    'webhook-id': 'id',
    'webhook-timestamp': at,
    'webhook-signature': `v1,AAAA v1,${mac}`,
  };
  const ask = (given: string, sent = headers) => {
    const call = `print(is_genuine(json.loads(sys.argv[1]), sys.argv[2].encode(), sys.argv[3]))`;
    const words = [JSON.stringify(sent), given, `whsec_${key.toString('base64')}`];
    const program = `import json, sys\n${source}\n${call}`;
    return execFileSync('python3', ['-c', program, ...words], { encoding: 'utf8' }).trim();
  };
  expect(ask(body)).toBe('True');
  expect(ask(`${body} `)).toBe('False');
  expect(ask(body, { ...headers, 'webhook-timestamp': '1763828115' })).toBe('False');
});
