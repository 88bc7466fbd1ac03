type LockedPackage = {
  version?: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
};

export type Lock = {
  packages: Record<string, LockedPackage>;
};

export type Missing = {
  name: string;
  version: string;
  isDev: boolean;
};

/** Optional packages that a locked package asks for and the lock does not have. */
export function missingOptional(lock: Lock): Missing[] {
  const found = new Map<string, Missing>();
  for (const [place, { dev = false, optionalDependencies = {} }] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const isThere =
        `${place}/node_modules/${name}` in lock.packages || `node_modules/${name}` in lock.packages;
      if (!isThere) found.set(name, { name, version, isDev: dev });
    }
  }
  return [...found.values()];
}

/**
 * The packages of a production install, each version once. Binaries for one platform are left out:
 * there are many of them, and a machine takes one.
 */
export function productionPackages(lock: Lock): string[] {
  return Object.entries(lock.packages)
    .filter(
      ([place, { dev, devOptional, os, cpu }]) => place && !dev && !devOptional && !os && !cpu,
    )
    .map(([place, { version }]) => `${place.split('node_modules/').at(-1)}@${version}`)
    .filter((name, i, all) => all.indexOf(name) === i);
}
