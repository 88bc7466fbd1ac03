import { packageFile } from '../core/package-file.ts';

/** The picture above every mail (`tools/draw-mail-porch.ts`), attached to it, so that every program may show it. */
export const PORCH = {
  /** Its name inside a mail: `<img src="cid:porch">`. */
  cid: 'porch',
  file: packageFile('src/server/notifications/porch.png'),
  /** In CSS pixels; the file has twice as many. */
  width: 288,
  height: 120,
} as const;
