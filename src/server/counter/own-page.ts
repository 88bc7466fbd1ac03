import { checkDeviceName } from '#domain/people/shared-devices.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { findActiveAccount } from '../accounts/account-store.ts';
import type { ServerContext } from '../context.ts';
import { AppError } from '../http/app-error.ts';
import type { SharedDevices } from './shared-devices.ts';
import { type AccountForms, textOf } from '../my-account/account-page.ts';

/** Creates the form that makes a browser a shared device, or an ordinary one again (decision 210). */
export function createSharedDevice(
  { db }: Pick<ServerContext, 'db'>,
  devices: Pick<SharedDevices, 'find' | 'switchOn' | 'switchOff'>,
): AccountForms {
  return {
    async sharedDevice({ loggedInUserId: id }, sent, { visit, cookieHeader }) {
      const device = await devices.find(cookieHeader);
      const account = await findActiveAccount(db, id);
      if (!account) throw new AppError('NO_SESSION');
      const { subtenant_id: subtenantId } = account;
      if (device) {
        if (device.subtenant_id !== subtenantId) throw new AppError('FORBIDDEN');
        const cookies = await devices.switchOff(device, cookieHeader);
        return { page: pathOf('signIn'), cookies };
      }
      const typed = { name: textOf(sent, 'name') };
      const name = checkDeviceName(typed.name);
      if (name === null) {
        return { problems: { name: { message: 'deviceName', minutes: 0 } }, typed };
      }
      const cookies = await devices.switchOn({ id, subtenantId }, name, visit, cookieHeader);
      return { page: pathOf('counterNext'), cookies };
    },
  };
}
