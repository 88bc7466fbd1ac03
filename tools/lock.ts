type LockedPackage = {
  /** `resolved` is a folder of this project. */
  link?: boolean;
  resolved?: string;
  version?: string;
  integrity?: string;
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

/** Returns the optional packages that a locked package asks for and the lock does not have: `npm ci` refuses such a lock. */
export function missingOptional(lock: Lock): string[] {
  return Object.entries(lock.packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(
        ([name]) =>
          !(`${place}/node_modules/${name}` in lock.packages) &&
          !(`node_modules/${name}` in lock.packages),
      )
      .map(([name, version]) => `${name}@${version}`),
  );
}

/** Returns the packages that npm would fetch without comparing them with a hash. */
export const withoutIntegrity = ({ packages }: Lock): string[] =>
  Object.entries(packages)
    .filter(([place, { link }]) => place.includes('node_modules/') && !link)
    .filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
    .map(([place]) => place);

/**
 * The packages of a production install, each version once. Binaries for one platform are left out:
 * there are many of them, and a machine takes one.
 */
export function productionPackages(lock: Lock): string[] {
  return Object.entries(lock.packages)
    .filter(
      ([place, { dev, devOptional, os, cpu, link }]) =>
        place.includes('node_modules/') && !dev && !devOptional && !os && !cpu && !link,
    )
    .map(([place, { version }]) => `${place.split('node_modules/').at(-1)}@${version}`)
    .filter((name, i, all) => all.indexOf(name) === i);
}
