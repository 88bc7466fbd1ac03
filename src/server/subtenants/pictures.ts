import { crc32 } from 'node:zlib';

export type Size = { readonly width: number; readonly height: number };

/** Every visitor's browser unpacks a logo, four bytes a pixel. */
export const MOST_PIXELS = 4_000_000;
export const MOST_SIDE = 4096;

export const isGiant = ({ width, height }: Size): boolean =>
  width > MOST_SIDE || height > MOST_SIDE || width * height > MOST_PIXELS;

/** Returns the size of a PNG or JPEG by its header; `null`: it is neither. */
export function pictureSize(bytes: Buffer): Size | null {
  const size = pngSize(bytes) ?? jpegSize(bytes);
  return size && size.width > 0 && size.height > 0 ? size : null;
}

/** PNG (ISO 15948): the signature, and width and height in the first chunk. */
export function pngSize(bytes: Buffer): Size | null {
  const isPng = bytes.length >= 24 && bytes.subarray(0, 8).toString('hex') === '89504e470d0a1a0a';
  return isPng ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : null;
}

/** Returns whether a PNG or JPEG has the data of its picture, to the end. */
export const isWhole = (bytes: Buffer): boolean =>
  pngSize(bytes) ? isWholePng(bytes) : isWholeJpeg(bytes);

/** Each chunk has its checksum; one with data, and the last one, have to be there. */
function isWholePng(bytes: Buffer): boolean {
  let hasData = false;
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length) return false;
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return false;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IEND') return hasData;
    hasData ||= type === 'IDAT' && end > at + 8;
    at = end + 4;
  }
  return false;
}

/** The data of a JPEG stands between a scan's header (SOS) and the end of the image (EOI). */
function isWholeJpeg(bytes: Buffer): boolean {
  const scan = segments(bytes).find(({ marker }) => marker === 0xda);
  return scan !== undefined && bytes.lastIndexOf('ffd9', undefined, 'hex') > scan.end;
}

/** JPEG (ITU T.81): height and width are in the frame header, SOF0 to SOF15 without the three that are none. */
function jpegSize(bytes: Buffer): Size | null {
  const frame = segments(bytes).find(
    ({ marker }) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker),
  );
  if (!frame || frame.at + 9 > bytes.length) return null;
  return { height: bytes.readUInt16BE(frame.at + 5), width: bytes.readUInt16BE(frame.at + 7) };
}

/** The headers of a JPEG, up to the first scan's. */
function segments(bytes: Buffer) {
  const found: { readonly marker: number; readonly at: number; readonly end: number }[] = [];
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return found;
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    found.push({ marker, at, end });
    if (marker === 0xda) break;
    at = end;
  }
  return found;
}
