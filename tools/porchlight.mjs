#!/usr/bin/env node
// `npx porchlight VERB` in a checkout: the same door as the npm scripts, so everything is installed and runs on Node 24.
process.argv.splice(2, 0, 'porchlight');
await import('./setup.mjs');
