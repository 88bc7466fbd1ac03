import makeQrCode from 'qrcode-generator';

/** A QR code as the path of an SVG, a module being one unit. */
export type QrCode = { readonly size: number; readonly path: string };

/** Four modules of white all around (ISO/IEC 18004). */
const MARGIN = 4;

/** Returns a text as a QR code. */
export function qrCodeOf(text: string): QrCode {
  const code = makeQrCode(0, 'M');
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const indexes = Array.from({ length: count }, (_, index) => index);
  const path = indexes.flatMap((row) =>
    indexes
      .filter((column) => code.isDark(row, column))
      .map((column) => `M${column + MARGIN} ${row + MARGIN}h1v1h-1z`),
  );
  return { size: count + 2 * MARGIN, path: path.join('') };
}
