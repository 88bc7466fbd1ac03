import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/operator/server.ts';
import type { Config } from '../config/config.ts';
import { OperatorError } from '../config/operator-error.ts';
import { packageFile } from '../core/package-file.ts';
import {
  isGiant,
  isWhole,
  MOST_PIXELS,
  MOST_SIDE,
  pngSize,
  type Size,
  pictureSize,
} from './pictures.ts';
import { svgFault } from './svg.ts';

export type LogoFile = { readonly bytes: Buffer; readonly type: string };

/** A picture that every mail program draws, and how large it stands there, in CSS pixels. */
export type MailLogo = Size & { readonly path: string };

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

/** The logos that come with the product. */
export const loadProductLogos = () => loadLogos([OURS]);

/** The product's own logos and the operator's. */
export function loadConfiguredLogos({ logosDirectory }: Pick<Config, 'logosDirectory'>) {
  return loadLogos([OURS, ...(logosDirectory ? [logosDirectory] : [])]);
}

/**
 * Reads the logos of these directories, once; of two with one name the later is used.
 * @throws OperatorError for a file that cannot be read, or that an operator could not send
 */
export function loadLogos(directories: readonly string[]) {
  const files = new Map<string, LogoFile>();
  for (const directory of directories) {
    for (const file of readdirSync(directory)) {
      const type = logoType(file);
      const bytes = type ? readLogo(join(directory, file)) : null;
      if (bytes) files.set(file, { type, bytes });
    }
  }

  function measured(file: string): MailLogo | null {
    const found = files.get(file);
    const size = sizeInName(file) ?? (found && pictureSize(found.bytes));
    return size ? { path: `${PREFIX}${file}`, ...fit(size) } : null;
  }

  return {
    /** Returns a file below `/logos/`. */
    find: (file: string): LogoFile | null => files.get(file) ?? null,
    /** Returns every path that a subtenant may name. */
    paths: (): readonly string[] => [...files.keys()].map((file) => `${PREFIX}${file}`).toSorted(),
    /**
     * Returns the picture for mails: the logo itself, or for an SVG the PNG or JPEG of the same name beside it. `null`:
     * there is none, and a mail shows the name alone.
     */
    forMail(logoPath: string): MailLogo | null {
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
    if (found.size > LARGEST) throw new OperatorError(fill(texts.largeLogo, { path }));
    const bytes = readFileSync(path);
    refuseFaults(path, bytes);
    return bytes;
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${path}: ${(error as Error).message}`);
  }
}

/** The name of a stored logo: its subtenant, its size where mails can show it, and a digest of its bytes. */
const STORED = /^\d+-(?:(\d+)x(\d+)-)?[\da-f]{16}\.(?:svg|png|jpe?g)$/;

export const isStoredLogo = (file: string): boolean => STORED.test(file);

function sizeInName(file: string): Size | null {
  const [, width, height] = STORED.exec(file) ?? [];
  return width && height ? { width: Number(width), height: Number(height) } : null;
}

/** Checks a logo that an operator sends. @returns the name of its file @throws OperatorError */
export function checkLogo(subtenantId: number, name: string, bytes: Buffer): string {
  const ending = extname(name).toLowerCase();
  if (!TYPES[ending]) throw new OperatorError(fill(texts.logoType, { name }));
  if (bytes.length > LARGEST) throw new OperatorError(fill(texts.largeLogo, { path: name }));
  refuseFaults(name, bytes);
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const size = pictureSize(bytes);
  return `${subtenantId}-${size ? `${size.width}x${size.height}-` : ''}${digest}${ending}`;
}

/**
 * Refuses what may not be a logo, by whichever way it comes.
 * @throws OperatorError that says what to change in the drawing program
 */
function refuseFaults(name: string, bytes: Buffer): void {
  const fault =
    extname(name).toLowerCase() === '.svg' ? svgFault(bytes) : pictureFault(name, bytes);
  if (!fault) return;
  const most = { side: MOST_SIDE, pixels: MOST_PIXELS };
  throw new OperatorError(fill(texts.logoFaults[fault], { name, ...pictureSize(bytes), ...most }));
}

function pictureFault(name: string, bytes: Buffer): 'broken' | 'giant' | 'cut' | null {
  const size = pictureSize(bytes);
  const isPng = pngSize(bytes) !== null;
  if (!size || isPng !== name.toLowerCase().endsWith('.png')) return 'broken';
  if (isGiant(size)) return 'giant';
  return isWhole(bytes) ? null : 'cut';
}

/** Returns the type of a logo by its name. */
export const logoType = (file: string): string => TYPES[extname(file).toLowerCase()] ?? '';

/** As large as the room allows, and never larger than it is. */
function fit({ width, height }: Size): Size {
  const scale = Math.min(1, BOX.width / width, BOX.height / height);
  const scaled = (length: number) => Math.max(1, Math.round(length * scale));
  return { width: scaled(width), height: scaled(height) };
}
