import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { patience, uniqueId } from '../../support/dependencies.ts';
import { killLaunched, launch, lineOf, serve, servedOnce } from '../../support/npm-start.ts';
import { credentialsOf, projectFile, withFile } from '../../support/project.ts';
import { sampled } from '../../support/sampled.ts';

/** Uses a separate table, because it settles due items of the whole table by the real time. */
const ownTable = { TABLE_NAME: uniqueId('tessera-start-') };

afterAll(async () => {
  killLaunched();
  if (!process.env.DYNAMODB_ENDPOINT) return;
  const client = createDynamodbClient(process.env.DYNAMODB_ENDPOINT, patience);
  await client.send(new DeleteTableCommand({ TableName: ownTable.TABLE_NAME }));
  client.destroy();
});

const ownEngine = { DYNAMODB_ENDPOINT: '', DYNAMODB_ENGINE: '' };

const serveFile = (file: unknown, env: Record<string, string>) =>
  withFile(file, (PROJECT_FILE) => serve({ ...ownTable, ...env, PROJECT_FILE }));

/** Its management paths ask for keys, and only one test needs that. */
const demo = servedOnce(() => serve({ ...ownTable, MANAGEMENT_GUARD: 'keys' }));

/** Sets the pause between two checks. Without a pause they would keep a core busy. */
const betweenInMs = 20;
async function untilSilent(url: string): Promise<void> {
  while (await answers(url)) await wait(betweenInMs);
}

const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

/** Lets a shell parse a curl line, and sends the request. */
async function sendCurlLine(greeting: string): Promise<Response> {
  const line = /^ +(curl .*)$/m.exec(greeting)?.[1];
  const { stdout } = await promisify(execFile)('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${line}`]);
  const words = stdout.trimEnd().split('\n');
  const headers = words.flatMap((word, index) => (words[index - 1] === '-H' ? [word.split(': ')] : []));
  return fetch(words.at(-1) ?? '', { headers: Object.fromEntries(headers) });
}

const oddCode = `it's 100% "ok" $HOME/\`é\``;
const club = { id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC' };
const lots = [
  { points: 30, expires: '2026-01-31' },
  { points: 70, expires: null },
];
const ofShop = projectFile({
  campaigns: [club],
  vouchers: [
    { code: oddCode, type: 'DISCOUNT_VOUCHER' },
    { code: 'A', type: 'LOYALTY_CARD', campaign_id: club.id, loyalty_card: { points: 100, lots } },
  ],
});
const shopFile = { ...ofShop, project: { ...ofShop.project, name: '<b>Kaffe & "Kake"</b>' } };
/** Starts with a separate engine, which a test may end. */
const shop = servedOnce(() => serveFile(shopFile, { MANAGEMENT_GUARD: '', DYNAMODB_ENDPOINT: '' }));

const invitation = (address: string, email: string, projectId: string) =>
  fetch(`${address}/management/v1/projects/users/invite`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, first_name: 'Ana', last_name: 'Lund', projects: { [projectId]: 'USER' } }),
  });

describe('npm start', () => {
  test('asks for management keys if the environment says so', async () => {
    const { address } = await demo();
    expect((await invitation(address, 'ana@mail.example', 'proj_demo')).status).toBe(401);
  });

  test.each(sampled(['SIGTERM', 'SIGINT'] as const, 1))(
    'serves the demo project until %s, and leaves nothing behind',
    async (signal) => {
      const { child, exit, greeting, address, engine } = await demo();
      expect(await (await fetch(`${address}/healthz`)).json()).toEqual({ status: 'ok' });
      expect(lineOf(greeting, 'app id')).toBe('demo-app');
      expect(lineOf(greeting, 'docs')).toBe(`${address}/docs`);
      expect((await sendCurlLine(greeting)).status).toBe(200);
      expect(await answers(engine)).toBe(true);

      child.kill(signal);
      const { code, stdout, stderr } = await exit;
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain('"route":"GET /v1/vouchers/{code}"');
      expect(await answers(address)).toBe(false);
      // An engine that ran before keeps running.
      expect(await answers(engine)).toBe(Boolean(process.env.DYNAMODB_ENDPOINT));
    },
  );

  test('leaves neither engine nor folder behind when it is killed by SIGKILL', async () => {
    const TMPDIR = await mkdtemp(join(tmpdir(), 'tessera-'));
    const { child, exit, engine } = await serve({ ...ownTable, ...ownEngine, TMPDIR });
    expect(await answers(engine)).toBe(true);
    const folders = async () => (await readdir(TMPDIR)).filter((name) => name.startsWith('tessera-'));

    child.kill('SIGKILL');
    await exit;
    // Both end a moment later, and this test waits as long as that takes.
    await untilSilent(engine);
    while ((await folders()).length > 0) await wait(betweenInMs);
    await rm(TMPDIR, { recursive: true });
  });

  test.each(sampled(['SIGTERM', 'SIGKILL'] as const, 1))(
    'ends server and engine when npm itself gets a %s',
    async (signal) => {
      const { child, address, engine } = await serve({ ...ownTable, ...ownEngine }, ['npm', 'start']);
      for (const one of [address, engine]) expect(await answers(one)).toBe(true);
      child.kill(signal);
      // Both end a moment later, and this test waits as long as that takes.
      for (const one of [address, engine]) await untilSilent(one);
    },
  );

  test('leads a browser from / to the console with its key, prints a curl line for a shell, and leaves management open', async () => {
    const { greeting, address, seen } = await shop();
    const reply = await fetch(`${address}/`);
    const page = await reply.text();
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(reply.url).toBe(`${address}/console`);
    const [appKey] = shopFile.app_keys;
    for (const text of [appKey?.app_id ?? '', appKey?.app_token ?? '']) expect(page).toContain(`content="${text}"`);
    for (const path of ['/console', '/docs']) expect(greeting).toContain(`${address}${path}`);

    expect(await (await sendCurlLine(greeting)).json()).toMatchObject({ code: oddCode });

    const { id } = shopFile.project;
    const email = `${id}@mail.example`;
    expect((await invitation(address, email, id)).status).toBe(204);
    const mail = JSON.parse(await seen(new RegExp(`^.*"part":"mail".*${email}.*}$`, 'm')));
    expect(mail).toMatchObject({ mail: { to: email, subject: expect.stringContaining('Kaffe') } });
  });

  test('settles what is due when it starts', async () => {
    const { output, address, seen } = await shop();
    expect(JSON.parse(await seen(/^.*"job":"settle-due".*$/m))).toMatchObject({
      level: 'info',
      failed: 0,
      finished: true,
    });
    const reply = await fetch(`${address}/v1/vouchers/A/transactions`, { headers: credentialsOf(shopFile) });
    expect(await reply.json()).toMatchObject({ data: [{ type: 'POINTS_EXPIRATION', points: -30, balance: 70 }] });
    expect(output.stderr).toBe('');
  });

  test('ends, and says why, when its engine ends', async () => {
    const { child, exit } = await shop();
    const { stdout: engine } = await promisify(execFile)('pgrep', ['-P', String(child.pid), 'dynoxide|java']);
    process.kill(Number(engine), 'SIGKILL');
    const { code, stderr } = await exit;
    expect([code, stderr]).toEqual([1, 'The DynamoDB engine has ended, and the server cannot work without it.\n']);
  });

  test('creates DATA_DIR and keeps changes of the API there, unless the project file changed too', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tessera-'));
    const [one, two] = ['A', 'B'].map((code) => ({ code, type: 'DISCOUNT_VOUCHER', active: false }));
    const file = projectFile({ vouchers: [one, two] });
    const headers = credentialsOf(file);
    const changed = { ...file, project: { ...file.project, name: 'Renamed' }, vouchers: [one] };
    const seen: unknown[] = [];
    for (const content of [file, file, changed]) {
      const { child, exit, address } = await serveFile(content, { DATA_DIR: join(folder, 'made', 'here') });
      const vouchers = ['A', 'B'].map((code) => `${address}/v1/vouchers/${code}`);
      const replies = await Promise.all(vouchers.map((voucher) => fetch(voucher, { headers })));
      const bodies = (await Promise.all(replies.map((reply) => reply.json()))) as { active: boolean }[];
      seen.push(bodies.map(({ active }) => active));
      for (const voucher of vouchers) await fetch(`${voucher}/enable`, { method: 'POST', headers });
      child.kill();
      await exit;
    }
    // Entries that are no longer in the file stay unchanged.
    expect(seen).toEqual([
      [false, false],
      [true, true],
      [false, true],
    ]);
    await rm(folder, { recursive: true });
  });

  test('ends cleanly on a signal during its start', async () => {
    const { child, exit } = launch(ownTable);
    await once(child, 'spawn');
    child.kill('SIGTERM');
    const { code, stderr } = await exit;
    // Before our first line has run, the signal has its default effect: no exit code.
    expect([0, null]).toContain(code);
    expect(stderr).toBe('');
  });
});
