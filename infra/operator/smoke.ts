import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { Complaint, Misuse, runCommand } from '../command-line.ts';
import { readSettings } from '../environment.ts';
import { connectService } from './smoke/service.ts';
import { type Calls, createCalls, type Step, type Walk } from './smoke/step.ts';
import { steps } from './smoke/steps.ts';

const usage = `Calls a running service, and says for each part of the deployment whether it works.
The calls create objects with names that begin with "smoke-", in the app key's project, and delete them at the end.

  npm run smoke -- URL
`;

const notes = `  APP_ID, APP_TOKEN  an app key with all rights, best in a separate project
`;

const environment = v.object({ APP_ID: v.string('APP_ID is required'), APP_TOKEN: v.string('APP_TOKEN is required') });

/** Runs one step and writes its line. Returns the reason of its failure, or `undefined`. */
async function runStep({ call, proves, run }: Step, calls: Calls, walk: Walk): Promise<string | undefined> {
  const from = performance.now();
  const fault = await run(calls, walk).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const tookInMs = Math.round(performance.now() - from);
  const line = `${fault === undefined ? 'ok    ' : 'FAILED'}  ${String(tookInMs).padStart(6)} ms  ${call}: ${proves}\n`;
  process.stdout.write(fault === undefined ? line : `${line}        ${fault}\n`);
  return fault;
}

await runCommand(
  { usage, options: {}, notes, positionals: { least: 1, most: 1 } },
  async ({ positionals: [url = ''] }) => {
    const address = URL.parse(url);
    if (address === null || !/^https?:$/.test(address.protocol))
      throw new Misuse(`"${url}" is not an http or https address`);
    const { APP_ID, APP_TOKEN } = readSettings(environment, process.env);
    const service = connectService(address, { 'x-app-id': APP_ID, 'x-app-token': APP_TOKEN });
    // An address without an answer is one fault, not one for each call.
    await service.send('GET /openapi.json', { credentials: false });
    const calls = createCalls(service);
    const walk: Walk = { name: `smoke-${randomBytes(6).toString('hex')}`, ids: new Map() };
    const failed: string[] = [];
    for (const step of steps) if ((await runStep(step, calls, walk)) !== undefined) failed.push(step.call);
    if (failed.length > 0) throw new Complaint(`${failed.length} of ${steps.length} calls failed`, failed);
    return `${steps.length} of ${steps.length} calls answered as they should\n`;
  },
);
