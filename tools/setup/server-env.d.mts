export const SERVER_NODE_OPTIONS: string;
export function serverEnv(root: string, env: NodeJS.ProcessEnv): Record<string, string>;
export function compileCache(root: string, env: NodeJS.ProcessEnv): Record<string, string>;
