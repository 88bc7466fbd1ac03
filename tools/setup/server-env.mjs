import path from 'node:path';

/**
 * V8 lets new objects take 64 MiB before it looks which of them are still needed; with 8 MiB a storm of sign-ins takes much
 * less memory (docs/operations/sizing.md has what, and at which cost). No limit: the heap still
 * grows where it has to. The Dockerfile and the unit of systemd say the same.
 */
export const SERVER_NODE_OPTIONS = '--max-semi-space-size=8';

/** What a server's process gets beside its settings. The operator's own NODE_OPTIONS stand behind ours, and the last one counts. */
export function serverEnv(root, env) {
  return {
    NODE_OPTIONS: [SERVER_NODE_OPTIONS, env.NODE_OPTIONS].filter(Boolean).join(' '),
    ...compileCache(root, env),
  };
}

/** Node keeps the stripped and compiled sources here, so a second start does not parse them again. */
export function compileCache(root, env) {
  return env.NODE_COMPILE_CACHE ? {} : { NODE_COMPILE_CACHE: path.join(root, '.cache', 'node') };
}
