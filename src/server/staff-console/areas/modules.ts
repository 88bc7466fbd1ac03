import { fill } from '#locales/fill.ts';
import { doctorCommand } from '#locales/operator/doctor-command.ts';
import { moduleCommand, moduleSeen } from '#locales/operator/module-command.ts';
import { modulesDesk as texts } from '#locales/operator/console-areas.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import { lookAtModule } from '../../hand-off/module-check.ts';
import type { Config } from '../../config/config.ts';
import { type DeskArea, formsOf, pageOf } from '../desk-area.ts';

type Modules = Pick<Config, 'modules'>;

/** Creates the operators' pages of modules: those that this server runs with, and whether each answers. */
export function modulesArea({ modules }: Modules): DeskArea {
  return {
    area: 'modules',
    texts: texts.list,
    list: {
      isPersonal: false,
      async read(asked) {
        const rows = modules.map(({ id, rootUrl, signOutUrl, sealedTo, accepts }) => ({
          id,
          cells: [
            id,
            rootUrl,
            signOutUrl ?? moduleCommand.notTold,
            accepts.join(', '),
            sealedTo === null ? '' : moduleCommand.sealed,
          ],
          actions: [{ label: texts.check, href: consolePath('modules', id, 'check') }],
        }));
        return pageOf(rows, asked);
      },
    },
    form: formsOf({}, async (word) => modules.find(({ id }) => id === word), {
      check: (module) => ({
        title: fill(texts.checkTitle, { id: module.id }),
        lead: texts.checkLead,
        changes: [texts.checkChanges],
        submit: texts.check,
        async run({ admin }) {
          const findings = await lookAtModule(module);
          const faults = findings.filter(({ state }) => state !== 'ok').length;
          await admin.audit({ kind: 'module.checked', details: { module: module.id, faults } });
          const lines = findings.map((finding) => fill(doctorCommand[finding.state], finding));
          const left = module.signOutUrl === null ? [moduleSeen.noSignOutUrl] : [];
          const unchecked = left.map((what) => fill(moduleCommand.unchecked, { what }));
          return { told: { lines: [...lines, ...unchecked] } };
        },
      }),
    }),
  };
}
