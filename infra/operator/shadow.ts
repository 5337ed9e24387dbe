import { once } from 'node:events';
import * as v from 'valibot';
import { Complaint, Misuse, type Options, runCommand } from '../command-line.ts';
import { endpointUrl, readSettings } from '../environment.ts';
import type { Service } from './shadow/ask.ts';
import { startProxy, stopProxy } from './shadow/proxy.ts';
import { openRecording } from './shadow/recording.ts';
import { replay } from './shadow/replay.ts';
import { Tally } from './shadow/tally.ts';

const usage = `Sends a till's requests to a second service, and lists the differences by cause. It sends validations and qualifications only.

  npm run shadow -- --with URL --app-id ID --file FILE
      Sends recorded requests. Each is a line of JSON with path, body, status and reply.

  npm run shadow -- --with URL --app-id ID --to URL --port PORT
      Runs a proxy before the service --to, until Ctrl-C. The till gets its answers, and never waits for the second service.
`;

const options = {
  with: { type: 'string', value: 'URL', words: 'the address of the second service' },
  'app-id': { type: 'string', value: 'ID', words: 'an app key of the second service' },
  'app-token': { type: 'string', value: 'TOKEN', words: 'its token, unless SHADOW_APP_TOKEN has it' },
  file: { type: 'string', value: 'FILE', words: 'the recorded requests' },
  to: { type: 'string', value: 'URL', words: 'the address of the service that counts' },
  'to-app-id': { type: 'string', value: 'ID', words: 'its app key, for recorded requests without an answer' },
  'to-app-token': { type: 'string', value: 'TOKEN', words: 'its token, unless TARGET_APP_TOKEN has it' },
  port: { type: 'string', value: 'PORT', words: 'the port of the proxy on this machine' },
  record: { type: 'string', value: 'FILE', words: 'writes the compared requests to a file, for --file' },
  timeout: { type: 'string', value: 'MS', words: 'the wait for an answer of the second service', default: '10000' },
} as const satisfies Options;

const environment = v.object({ SHADOW_APP_TOKEN: v.optional(v.string()), TARGET_APP_TOKEN: v.optional(v.string()) });

function serviceOf(url: string, appId: string | undefined, appToken: string | undefined, timeout: string): Service {
  if (!v.is(endpointUrl, url)) throw new Misuse(`"${url}" is not an http or https URL without a path`);
  if (!appId || !appToken) throw new Misuse(`An app key and its token are required for ${url}`);
  if (!/^[1-9]\d{0,6}$/.test(timeout)) throw new Misuse(`--timeout: "${timeout}" is not a number of milliseconds`);
  return { url, appId, appToken, timeoutInMs: Number(timeout) };
}

/** Serves until a signal ends the process. */
async function stand(port: number, settings: Parameters<typeof startProxy>[0]): Promise<void> {
  const proxy = startProxy(settings);
  proxy.listen(port, '127.0.0.1');
  await once(proxy, 'listening').catch((error: unknown) => {
    throw new Complaint(`--port: ${error instanceof Error ? error.message : error}`);
  });
  process.stderr.write(`The proxy listens at http://127.0.0.1:${port} before ${settings.to}. Ctrl-C ends it.\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await stopProxy(proxy);
}

await runCommand({ usage, options }, async ({ values }) => {
  const { with: url, file, to, port, record, timeout } = values;
  if (url === undefined) throw new Misuse('--with is required');
  const { SHADOW_APP_TOKEN, TARGET_APP_TOKEN } = readSettings(environment, process.env);
  const other = serviceOf(url, values['app-id'], values['app-token'] ?? SHADOW_APP_TOKEN, timeout);
  const tally = new Tally();
  if (file !== undefined) {
    const token = values['to-app-token'] ?? TARGET_APP_TOKEN;
    const counts = to === undefined ? undefined : serviceOf(to, values['to-app-id'], token, timeout);
    await replay(file, { counts, other }, tally).catch((error: unknown) => {
      throw new Complaint(`--file: ${error instanceof Error ? error.message : error}`);
    });
    return tally.summary;
  }
  if (to === undefined || !v.is(endpointUrl, to)) throw new Misuse('--file, or --to with --port, is required');
  if (port === undefined || !/^\d{1,5}$/.test(port)) throw new Misuse('--port must be a port');
  const complain = (words: string) => process.stderr.write(`${words}\n`);
  const recording = record === undefined ? undefined : await openRecording(record, complain);
  await stand(Number(port), {
    to,
    other,
    tally,
    onDifferences: (path, [first]) => process.stderr.write(`${path}: ${first?.cause}\n`),
    ...(recording ? { onAnswer: recording.add } : {}),
  });
  await recording?.end();
  return tally.summary;
});
