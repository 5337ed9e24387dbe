import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { Misuse } from '../command-line.ts';

const options = v.record(v.string(), v.object({ alias: v.optional(v.union([v.string(), v.array(v.string())]), []) }));
const registry = v.object({
  globalOptions: options,
  commands: v.record(v.string(), v.object({ options: v.optional(options, {}) })),
});

/** Lists the options of a CDK command, from the CDK's own list. */
function namesOf(command: string): ReadonlySet<string> {
  const folder = dirname(createRequire(import.meta.url).resolve('aws-cdk/package.json'));
  const list = readFileSync(join(folder, 'lib/cli/cli-type-registry.json'), 'utf8');
  const { globalOptions, commands } = v.parse(registry, JSON.parse(list));
  const all = Object.entries({ ...globalOptions, ...commands[command]?.options });
  return new Set(all.flatMap(([name, { alias }]) => [name, alias].flat()));
}

/** Says what a command is about to do, because its first minute prints nothing. */
export function announceCommand([command]: readonly string[], stage: string, folder: string): string {
  const aim =
    command === 'deploy'
      ? `then hands the stack tessera-${stage} to CloudFormation`
      : `writes the templates of stage ${stage} to ${folder}, and sends nothing to AWS`;
  return `Bundles all operations and workers, checks the stack by AWS's rules, ${aim}. This lasts about a minute.\n`;
}

/** Refuses unknown options. The CDK ignores them, so a misspelt guard or address would have no effect. */
export function refuseUnknown(commandLine: readonly string[]): void {
  const [command = ''] = commandLine;
  const known = namesOf(command);
  const { tokens } = parseArgs({ args: [...commandLine], strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option' || known.has(token.name) || known.has(token.name.replace(/^no-/, ''))) continue;
    throw new Misuse(`Unknown option '${token.rawName}': this command and the CDK do not have it.`);
  }
}
