import * as z from 'zod';
import { isLoopbackHost } from '#domain/hand-off/loopback.ts';
import { addressText, hasNoCredentials } from './credentials.ts';
import { number, secret, setting, type ValuesOf } from './setting.ts';

/** Where traces go; names and meanings are OpenTelemetry's. */
export type TracesConfig = NonNullable<ReturnType<typeof tracesConfig>>;

/** OpenTelemetry Protocol Exporter, "Endpoint URLs for OTLP/HTTP". */
const TRACES_PATH = 'v1/traces';

const address = addressText
  .check(z.url({ protocol: /^https?$/, abort: true }))
  .refine(hasNoCredentials, 'takes no user name: use OTEL_EXPORTER_OTLP_HEADERS');

/** `name=value,name=value`, values percent-encoded, as W3C Baggage has it; `null`: not so. */
function readHeaders(text: string): Readonly<Record<string, string>> | null {
  const pairs = text
    .split(',')
    .map((pair) => /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*?)\s*$/.exec(pair));
  try {
    const headers = pairs.map((pair) => {
      if (!pair) throw new TypeError('no pair');
      const [, name = '', value = ''] = pair;
      return [name, decodeURIComponent(value)] as const;
    });
    // Also refuses what no header may hold.
    return Object.fromEntries(new Headers(headers as [string, string][]));
  } catch {
    return null;
  }
}

/** Their rows in the table of settings. */
export const tracesSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: setting('traces.endpoint', address.optional()),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: setting('traces.url', address.optional()),
  OTEL_EXPORTER_OTLP_HEADERS: secret(
    'traces.headers',
    z
      .string()
      .refine(
        (text) => readHeaders(text) !== null,
        'must be name=value, separated by commas; write % as %25, a comma as %2C',
      )
      .optional(),
  ),
  OTEL_SERVICE_NAME: setting(
    'traces.serviceName',
    z.string().min(1).max(200).default('porchlight'),
  ),
  OTEL_TRACES_SAMPLER_ARG: number('traces.share', z.coerce.number().min(0).max(1).default(1)),
};

/** `null`: no traces. */
export function tracesConfig(values: ValuesOf<typeof tracesSettings>) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_HEADERS: headers } = values;
  const url =
    values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ??
    (base && new URL(TRACES_PATH, base.endsWith('/') ? base : `${base}/`).href);
  if (!url) return null;
  return {
    /** Whole, with its path. */
    url,
    headers: (headers && readHeaders(headers)) || {},
    serviceName: values.OTEL_SERVICE_NAME,
    /** Of the traces that begin here, 0 to 1. */
    share: values.OTEL_TRACES_SAMPLER_ARG,
  };
}

const ADDRESSES = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] as const;

/** Faults of settings that do not go together; `called`: how the operator names a setting. */
export function tracesFaults(given: NodeJS.ProcessEnv, called: (name: string) => string) {
  if (!given.OTEL_EXPORTER_OTLP_HEADERS) return [];
  return ADDRESSES.filter((name) => isOpenToAll(given[name])).map(
    (name) =>
      `${called(name)} must be https with OTEL_EXPORTER_OTLP_HEADERS, except on this machine`,
  );
}

/** A key would travel in the clear. */
function isOpenToAll(text = ''): boolean {
  return URL.canParse(text) && text.startsWith('http:') && !isLoopbackHost(new URL(text).hostname);
}
