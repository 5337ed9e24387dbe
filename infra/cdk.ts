import { spawnSync } from 'node:child_process';
import { contextOf } from './cdk-options.ts';

/** What `npm run synth` and `npm run deploy` are. */
const { status } = spawnSync('cdk', contextOf(process.argv.slice(2)), { stdio: 'inherit' });
process.exitCode = status ?? 1;
