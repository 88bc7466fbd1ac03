// `npm run release-check`: lists what is missing before this version can be released.
import { faultsOfCheckout, VERSION } from './make-release.ts';

const faults = await faultsOfCheckout();
for (const fault of faults) console.log(fault);
console.log(
  faults.length > 0 ? `${VERSION} cannot be released yet.` : `${VERSION} can be released.`,
);
if (!process.env.PORCHLIGHT_RELEASE_KEY) {
  console.log('Without PORCHLIGHT_RELEASE_KEY, the file of a key, it will not be signed.');
}
if (faults.length > 0) process.exitCode = 1;
