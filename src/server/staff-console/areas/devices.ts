import { fill } from '#locales/fill.ts';
import { devicesDesk as texts } from '#locales/operator/console-areas.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import { maySwitch } from '#domain/people/counter-mode.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { listDevices, switchOff } from '../../counter/devices.ts';
import type { FullContext } from '../../access/context.ts';
import { houseOf, type Staff } from '../staff.ts';
import { type DeskArea, formsOf, searchedList } from '../desk-area.ts';

/** Creates the pages of shared devices: a help desk has those of its own subtenant. */
export function devicesArea({ db, outbox }: FullContext): DeskArea {
  const devicesOf = (staff: Staff) => listDevices(db, houseOf(staff));

  return {
    area: 'devices',
    texts: texts.list,
    list: searchedList(
      texts.name,
      async (staff) =>
        (await devicesOf(staff)).map((device) => ({
          id: device.id,
          cells: [
            device.name,
            device.subtenant,
            device.by,
            { at: device.created_at.getTime() },
            { at: device.seen_at.getTime() },
            device.started_at === null
              ? ({ text: texts.free, tone: 'ok' } as const)
              : ({ text: texts.inUse, tone: 'wait' } as const),
          ],
          actions: [{ label: texts.end, href: consolePath('devices', device.id, 'end') }],
        })),
      ({ roleIds }) =>
        maySwitch(roleIds) ? [{ label: texts.add, href: pathOf('sharedDevice') }] : [],
    ),
    form: formsOf(
      {},
      async (id, staff) => (await devicesOf(staff)).find((each) => each.id === id),
      {
        end: (device) => ({
          title: fill(texts.endTitle, { name: device.name }),
          changes: [texts.endChanges],
          submit: texts.end,
          async run({ admin }) {
            await switchOff(admin, device);
            outbox.wake();
          },
        }),
      },
    ),
  };
}
