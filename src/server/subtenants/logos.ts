import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/operator/server.ts';
import type { Config } from '../config/config.ts';
import { OperatorError } from '../config/operator-error.ts';
import { packageFile } from '../package-file.ts';

export type LogoFile = { readonly bytes: Buffer; readonly type: string };
type Size = { readonly width: number; readonly height: number };

/** A picture that every mail program draws, and how large it stands there, in CSS pixels. */
export type MailLogo = Size & { readonly path: string };

export type Logos = {
  /** The files below `/logos/`. */
  find(file: string): LogoFile | null;
  /** Every path that a subtenant may name. */
  paths(): readonly string[];
  /**
   * The picture for mails: the logo itself, or for an SVG the PNG or JPEG of the same name beside it. `null`: there is
   * none, and a mail shows the name alone.
   */
  forMail(logoPath: string): MailLogo | null;
};

const TYPES: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
};
const PREFIX = '/logos/';
/** Those that come with the product. */
const OURS = packageFile('src/portal/assets/subtenants');
/** Bytes. They are held in memory, and every page has one. */
const LARGEST = 1_000_000;
/** Room for a logo in a mail. */
const BOX: Size = { width: 220, height: 48 };

/** The product's own logos and the operator's. */
export function loadConfiguredLogos({ logosDirectory }: Pick<Config, 'logosDirectory'>): Logos {
  return loadLogos([OURS, ...(logosDirectory ? [logosDirectory] : [])]);
}

/**
 * Reads the logos of these directories, once; of two with one name the later counts.
 * @throws OperatorError for a file that is too large, or cannot be read
 */
export function loadLogos(directories: readonly string[]): Logos {
  const files = new Map<string, LogoFile>();
  for (const directory of directories) {
    for (const file of readdirSync(directory)) {
      const type = TYPES[extname(file).toLowerCase()];
      const bytes = type ? readLogo(join(directory, file)) : null;
      if (type && bytes) files.set(file, { type, bytes });
    }
  }

  function measured(file: string): MailLogo | null {
    const found = files.get(file);
    const size = sizeInName(file) ?? (found && sizeOf(found.bytes));
    return size ? { path: `${PREFIX}${file}`, ...fit(size) } : null;
  }

  return {
    find: (file) => files.get(file) ?? null,
    paths: () => [...files.keys()].map((file) => `${PREFIX}${file}`).toSorted(),
    forMail(logoPath) {
      if (!logoPath.startsWith(PREFIX)) return null;
      const file = logoPath.slice(PREFIX.length);
      const base = file.slice(0, file.length - extname(file).length);
      const candidates = [file, ...['.png', '.jpg', '.jpeg'].map((ending) => base + ending)];
      return candidates.map(measured).find((logo) => logo !== null) ?? null;
    },
  };
}

/** @returns `null` for a directory, and whatever else is no file. @throws OperatorError */
function readLogo(path: string): Buffer | null {
  try {
    const found = statSync(path);
    if (!found.isFile()) return null;
    if (found.size <= LARGEST) return readFileSync(path);
  } catch (error) {
    throw new OperatorError(`${path}: ${(error as Error).message}`);
  }
  throw new OperatorError(fill(texts.largeLogo, { path }));
}

/** The name of a stored logo: its subtenant, its size where mails can show it, and a digest of its bytes. */
const STORED = /^\d+-(?:(\d+)x(\d+)-)?[\da-f]{16}\.(?:svg|png|jpe?g)$/;

export const isStoredLogo = (file: string): boolean => STORED.test(file);

function sizeInName(file: string): Size | null {
  const [, width, height] = STORED.exec(file) ?? [];
  return width && height ? { width: Number(width), height: Number(height) } : null;
}

/** Code in an SVG, and what it would fetch from elsewhere. */
const ACTIVE =
  /<script|<!entity|<foreignobject|\son\w+\s*=|javascript:|href\s*=\s*["'](?!#|data:image\/)|@import|url\(\s*["']?(?!#)/i;

/** Checks a logo that an operator sends. @returns the name of its file @throws OperatorError */
export function checkLogo(subtenantId: number, name: string, bytes: Buffer): string {
  const ending = extname(name).toLowerCase();
  if (!TYPES[ending]) throw new OperatorError(fill(texts.logoType, { name }));
  if (bytes.length > LARGEST) throw new OperatorError(fill(texts.largeLogo, { path: name }));
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  if (ending === '.svg') {
    const svg = bytes.toString('utf8');
    if (!/<svg[\s>]/.test(svg)) throw new OperatorError(fill(texts.logoBroken, { name }));
    if (ACTIVE.test(svg)) throw new OperatorError(fill(texts.logoActive, { name }));
    return `${subtenantId}-${digest}.svg`;
  }
  const size = sizeOf(bytes);
  const isPng = pngSize(bytes) !== null;
  if (!size || isPng !== (ending === '.png')) {
    throw new OperatorError(fill(texts.logoBroken, { name }));
  }
  return `${subtenantId}-${size.width}x${size.height}-${digest}${ending}`;
}

/** Returns the type of a logo by its name. */
export const logoType = (file: string): string => TYPES[extname(file).toLowerCase()] ?? '';

/** As large as the room allows, and never larger than it is. */
function fit({ width, height }: Size): Size {
  const scale = Math.min(1, BOX.width / width, BOX.height / height);
  const scaled = (length: number) => Math.max(1, Math.round(length * scale));
  return { width: scaled(width), height: scaled(height) };
}

/** Outlook wants to be told: without its size a picture for fine screens stands there twice as large. */
function sizeOf(bytes: Buffer): Size | null {
  const size = pngSize(bytes) ?? jpegSize(bytes);
  return size && size.width > 0 && size.height > 0 ? size : null;
}

/** PNG (ISO 15948): the signature, and width and height in the first chunk. */
function pngSize(bytes: Buffer): Size | null {
  const isPng = bytes.length >= 24 && bytes.subarray(0, 8).toString('hex') === '89504e470d0a1a0a';
  return isPng ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : null;
}

/** JPEG (ITU T.81): height and width are in the frame header, SOF0 to SOF15 without the three that are none. */
function jpegSize(bytes: Buffer): Size | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}
