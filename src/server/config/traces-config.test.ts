import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';

const directory = mkdtempSync(join(tmpdir(), 'porchlight-traces-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const BASE = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const WHOLE = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
const HEADERS = 'OTEL_EXPORTER_OTLP_HEADERS';
const SHARE = 'OTEL_TRACES_SAMPLER_ARG';
const read = (env: NodeJS.ProcessEnv) => readConfig({ PORCHLIGHT_DATA_DIR: directory, ...env });

describe('[OPS-65] where traces go', () => {
  test('nowhere, unless an address is given', () => {
    expect(read({}).config?.traces).toBeNull();
    expect(read({ OTEL_SERVICE_NAME: 'x', [HEADERS]: 'a=b' }).config?.traces).toBeNull();
  });

  test.each([
    [{ [BASE]: 'http://collector:4318' }, 'http://collector:4318/v1/traces'],
    [{ [BASE]: 'https://otlp.example.org/otlp/' }, 'https://otlp.example.org/otlp/v1/traces'],
    [{ [WHOLE]: 'http://collector:4318/in' }, 'http://collector:4318/in'],
    [{ [BASE]: 'http://one:4318', [WHOLE]: 'http://two:4318/in' }, 'http://two:4318/in'],
  ])('%j: %s', (env, url) => {
    const traces = { url, headers: {}, serviceName: 'porchlight', share: 1 };
    expect(read(env).config?.traces).toEqual(traces);
  });

  test('with headers, names and values as W3C Baggage has them', () => {
    const env = { [BASE]: 'https://otlp.example.org', [HEADERS]: 'api-key=a%3Db, X-Team = porch' };
    expect(read(env).config?.traces?.headers).toEqual({ 'api-key': 'a=b', 'x-team': 'porch' });
  });

  test.each([
    [{ [BASE]: 'grpc://collector:4317' }, BASE],
    [{ [BASE]: 'collector:4318' }, BASE],
    [{ [WHOLE]: 'https://somebody:word@otlp.example.org/' }, 'takes no user name'],
    [{ [BASE]: 'http://localhost:4318', [HEADERS]: 'no pair' }, 'must be name=value'],
    [{ [BASE]: 'http://localhost:4318', [HEADERS]: 'a=x%0D%0Ax' }, 'must be name=value'],
    [{ [BASE]: 'http://localhost:4318', [HEADERS]: 'a=%E0%A4%A' }, 'must be name=value'],
    [{ [BASE]: 'http://collector:4318', [HEADERS]: 'a=b' }, 'must be https'],
    [{ [WHOLE]: 'http://collector:4318/in', [HEADERS]: 'a=b' }, 'must be https'],
    [{ [SHARE]: '1.01' }, SHARE],
    [{ [SHARE]: '-0.1' }, SHARE],
    [{ [SHARE]: 'half' }, SHARE],
  ])('%j is refused', (env, says) => {
    const { faults } = read(env);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(says);
    expect(faults[0]).not.toContain('word');
  });

  test('a key may go to this machine in the clear', () => {
    const env = { [BASE]: 'http://localhost:4318', [HEADERS]: 'a=b', [SHARE]: '0.25' };
    expect(read(env).config?.traces).toMatchObject({ headers: { a: 'b' }, share: 0.25 });
  });
});
