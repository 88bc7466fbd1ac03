import { configCommand as texts } from '#locales/operator/config-command.ts';
import { fill } from '#locales/fill.ts';
import { configSchema } from '#server/config/config-schema.ts';
import { type Config, readConfig } from '#server/config/config.ts';
import { loadConfiguredLogos } from '#server/subtenants/logos.ts';
import { type CommandOf, output } from './command.ts';

/**
 * `porchlight config check`: every fault and every warning of the settings and their files, without the network;
 * `porchlight config schema`: the schema of `porchlight.json`.
 */
export const config: CommandOf<'config'> = {
  schema: () => async () => {
    const schema = configSchema();
    return output([JSON.stringify(schema, null, 2)], schema);
  },
  check: () => async (at) => {
    const { config: read, warnings, ...reading } = readConfig(at.env());
    const faults = [...reading.faults, ...(read ? logoFault(read) : [])];
    const lines = [
      ...faults.map((text) => fill(texts.fault, { text })),
      ...warnings.map((text) => fill(texts.warning, { text })),
      faults.length > 0
        ? fill(texts.faults, { count: faults.length })
        : fill(texts.good, { count: warnings.length }),
    ];
    return output(lines, { faults, warnings }, faults.length > 0);
  },
};

/** Returns why the start would refuse the folder of logos; nothing: it would not. */
function logoFault(read: Config): readonly string[] {
  try {
    loadConfiguredLogos(read);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
