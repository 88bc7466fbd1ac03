import { checkDeviceName } from '#domain/people/counter-mode.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { findActiveAccount } from '../accounts/account-store.ts';
import type { ServerContext } from '../core/context.ts';
import { AppError } from '../http/app-error.ts';
import type { SharedDevices } from './shared-devices.ts';
import { type AccountForms, problemsOf, textOf } from '../forms/account-page.ts';

/** Creates the form that makes a browser a shared device, or an ordinary one again (decision 210). */
export function createSharedDevice(
  { db }: Pick<ServerContext, 'db'>,
  devices: Pick<SharedDevices, 'find' | 'switchOn' | 'switchOff'>,
): AccountForms {
  return {
    sharedDevice: {
      keeps: ['name'],
      async run({ loggedInUserId: id }, sent, { visit, cookies = {} }) {
        const device = await devices.find(cookies);
        const account = await findActiveAccount(db, id);
        if (!account) throw new AppError('NO_SESSION');
        const { subtenant_id: subtenantId } = account;
        if (device) {
          if (device.subtenant_id !== subtenantId) throw new AppError('FORBIDDEN');
          return { page: pathOf('signIn'), cookies: await devices.switchOff(device, cookies) };
        }
        const name = checkDeviceName(textOf(sent, 'name'));
        if (name === null) return { problems: problemsOf({ name: 'deviceName' }) };
        const switched = await devices.switchOn({ id, subtenantId }, name, visit, cookies);
        return { page: pathOf('counterNext'), cookies: switched };
      },
    },
  };
}
