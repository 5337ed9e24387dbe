import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { dynamodbClient } from '../../../lib/http/composition.ts';
import { patience } from '../../support/dependencies.ts';
import { projectFile, withFile } from '../../support/project.ts';

/** Of its own, for it settles what is due in all of its table, by the time of the day. */
const tableName = `tessera-start-${randomUUID()}`;

afterAll(async () => {
  if (!process.env.DYNAMODB_ENDPOINT) return;
  const client = dynamodbClient(process.env.DYNAMODB_ENDPOINT, patience);
  await client.send(new DeleteTableCommand({ TableName: tableName }));
  client.destroy();
});

const direct = [process.execPath, 'infra/local/start.ts'] as const;

/** The first stands for all but in long runs: each start reads the whole service. */
const some = <T>(all: readonly [T, ...T[]]): readonly T[] => (process.env.LONG_TESTS ? all : [all[0]]);

const running = new Set<ChildProcessWithoutNullStreams>();

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** `npm start` with another environment; the engine is the one that this run was told to take, else the native one. */
function launch(env: Record<string, string>, [command, ...args]: readonly [string, ...string[]] = direct) {
  const child = spawn(command, args, {
    env: { ...process.env, PORT: '0', TABLE_NAME: tableName, PROJECT_FILE: '', DATA_DIR: '', ...env },
  });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
  }
  const exit = once(child, 'close').then(([code]) => {
    running.delete(child);
    return { code, ...output };
  });
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      if (output.stdout.includes('Ctrl-C')) resolve(output.stdout);
    });
    exit.then(({ stderr }) => reject(new Error(stderr)));
  });
  ready.catch(() => {});
  /** What fits in the output, once it is there. */
  const seen = (pattern: RegExp) =>
    new Promise<string>((resolve) => {
      const look = () => {
        const found = pattern.exec(output.stdout)?.[0];
        if (found !== undefined) resolve(found);
      };
      child.stdout.on('data', look);
      look();
    });
  return { child, exit, ready, seen };
}

const lineOf = (greeting: string, label: string) => new RegExp(`${label} +(.*)`).exec(greeting)?.[1] ?? '';

/** Between two looks at what goes a moment later: without a pause they would keep a core busy. */
const betweenInMs = 20;
async function untilSilent(url: string): Promise<void> {
  while (await answers(url)) await wait(betweenInMs);
}

const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

/** What a shell makes of a curl line, sent. */
async function sendCurlLine(greeting: string): Promise<Response> {
  const line = /^ +(curl .*)$/m.exec(greeting)?.[1];
  const { stdout } = await promisify(execFile)('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${line}`]);
  const words = stdout.trimEnd().split('\n');
  const headers = words.flatMap((word, index) => (words[index - 1] === '-H' ? [word.split(': ')] : []));
  return fetch(words.at(-1) ?? '', { headers: Object.fromEntries(headers) });
}

describe('npm start', () => {
  test.each(some(['SIGTERM', 'SIGINT'] as const))(
    'serves the demo project until %s, and leaves nothing behind',
    async (signal) => {
      const { child, exit, ready } = launch({});
      const greeting = await ready;
      const address = lineOf(greeting, 'address');
      const engine = / at (http\S+):/.exec(greeting)?.[1] ?? '';
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
      // An engine that was there before stays.
      expect(await answers(engine)).toBe(Boolean(process.env.DYNAMODB_ENDPOINT));
    },
  );

  test('leaves neither engine nor folder behind when it is killed by SIGKILL', async () => {
    const TMPDIR = await mkdtemp(join(tmpdir(), 'tessera-'));
    const { child, exit, ready } = launch({ TMPDIR, DYNAMODB_ENDPOINT: '', DYNAMODB_ENGINE: '' });
    const engine = / at (http\S+):/.exec(await ready)?.[1] ?? '';
    expect(await answers(engine)).toBe(true);
    const folders = async () => (await readdir(TMPDIR)).filter((name) => name.startsWith('tessera-'));

    child.kill('SIGKILL');
    await exit;
    // Both go a moment later; this test waits as long as it takes.
    await untilSilent(engine);
    while ((await folders()).length > 0) await wait(betweenInMs);
    await rm(TMPDIR, { recursive: true });
  });

  test.each(some(['SIGTERM', 'SIGKILL'] as const))(
    'ends server and engine when npm itself gets a %s',
    async (signal) => {
      const { child, ready } = launch({ DYNAMODB_ENDPOINT: '', DYNAMODB_ENGINE: '' }, ['npm', 'start']);
      const greeting = await ready;
      const addresses = [lineOf(greeting, 'address'), / at (http\S+):/.exec(greeting)?.[1] ?? ''];
      for (const address of addresses) expect(await answers(address)).toBe(true);
      child.kill(signal);
      // Both go a moment later; this test waits as long as it takes.
      for (const address of addresses) await untilSilent(address);
    },
  );

  test('ends, and says why, when its engine ends', async () => {
    const { child, exit, ready } = launch({ DYNAMODB_ENDPOINT: '', DYNAMODB_ENGINE: '' });
    await ready;
    const { stdout: engine } = await promisify(execFile)('pgrep', ['-P', String(child.pid), 'dynoxide|java']);
    process.kill(Number(engine), 'SIGKILL');
    const { code, stderr } = await exit;
    expect([code, stderr]).toEqual([1, 'The DynamoDB engine has ended, and nothing can be served without it.\n']);
  });

  const invitation = (address: string, email: string, projectId: string) =>
    fetch(`${address}/management/v1/projects/users/invite`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, first_name: 'Ana', last_name: 'Lund', projects: { [projectId]: 'USER' } }),
    });

  test('answers a browser at / with where things are, tells a curl line that a shell takes, and leaves management open', async () => {
    const name = '<b>Kaffe & "Kake"</b>';
    const code = `it's 100% "ok" $HOME/\`é\``;
    const file = projectFile({ vouchers: [{ code, type: 'DISCOUNT_VOUCHER' }] });
    await withFile({ ...file, project: { ...file.project, name } }, async (PROJECT_FILE) => {
      const { child, exit, ready, seen } = launch({ PROJECT_FILE, MANAGEMENT_GUARD: '' });
      const greeting = await ready;
      const address = lineOf(greeting, 'address');
      const reply = await fetch(`${address}/`);
      const page = await reply.text();
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
      const [appKey] = file.app_keys;
      for (const text of [address, appKey?.app_id ?? '', appKey?.app_token ?? '']) expect(page).toContain(text);
      expect(page).toContain('curl -H &#39;X-App-Id');
      for (const path of ['/docs', '/openapi.json']) expect(page).toContain(`href="${path}"`);
      expect(page).toContain('&#60;b&#62;Kaffe &#38;');
      expect(page).not.toMatch(/<b>|<script/);

      expect(await (await sendCurlLine(greeting)).json()).toMatchObject({ code });

      const email = `${file.project.id}@mail.example`;
      expect((await invitation(address, email, file.project.id)).status).toBe(204);
      const mail = JSON.parse(await seen(new RegExp(`^.*"part":"mail".*${email}.*}$`, 'm')));
      expect(mail).toMatchObject({ mail: { to: email, subject: expect.stringContaining('Kaffe') } });
      child.kill();
      await exit;
    });
  });

  test('settles what is due when it starts', async () => {
    const lots = [
      { points: 30, expires: '2026-01-31' },
      { points: 70, expires: null },
    ];
    const club = { id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC' };
    const file = projectFile({
      campaigns: [club],
      vouchers: [{ code: 'A', type: 'LOYALTY_CARD', campaign_id: club.id, loyalty_card: { points: 100, lots } }],
    });
    await withFile(file, async (PROJECT_FILE) => {
      const { child, exit, ready, seen } = launch({ PROJECT_FILE });
      const address = lineOf(await ready, 'address');
      expect(JSON.parse(await seen(/^.*"job":"settle-due".*$/m))).toMatchObject({
        level: 'info',
        failed: 0,
        finished: true,
      });
      const headers = { 'x-app-id': file.app_keys[0]?.app_id ?? '', 'x-app-token': file.app_keys[0]?.app_token ?? '' };
      const reply = await fetch(`${address}/v1/vouchers/A/transactions`, { headers });
      expect(await reply.json()).toMatchObject({ data: [{ type: 'POINTS_EXPIRATION', points: -30, balance: 70 }] });
      child.kill();
      expect((await exit).stderr).toBe('');
    });
  });

  test('keeps in DATA_DIR, which it makes, what the API has changed, unless the file has changed too', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tessera-'));
    const file = projectFile({ vouchers: [{ code: 'A', type: 'DISCOUNT_VOUCHER', active: false }] });
    const headers = { 'x-app-id': file.app_keys[0]?.app_id ?? '', 'x-app-token': file.app_keys[0]?.app_token ?? '' };
    const changed = { ...file, project: { ...file.project, name: 'Renamed' } };
    const without = { ...file, vouchers: [] };
    const seen: unknown[] = [];
    for (const content of [file, file, changed, without]) {
      await withFile(content, async (PROJECT_FILE) => {
        const { child, exit, ready } = launch({ PROJECT_FILE, DATA_DIR: join(folder, 'made', 'here') });
        const voucher = `${lineOf(await ready, 'address')}/v1/vouchers/A`;
        const { active } = (await (await fetch(voucher, { headers })).json()) as { active: boolean };
        seen.push(active);
        await fetch(`${voucher}/enable`, { method: 'POST', headers });
        child.kill();
        await exit;
      });
    }
    expect(seen).toEqual([false, true, false, true]);
    await rm(folder, { recursive: true });
  });

  test('asks for management keys when it is told to', async () => {
    const file = projectFile();
    await withFile(file, async (PROJECT_FILE) => {
      const { child, exit, ready } = launch({ PROJECT_FILE, MANAGEMENT_GUARD: 'keys' });
      const address = lineOf(await ready, 'address');
      expect((await invitation(address, 'ana@mail.example', file.project.id)).status).toBe(401);
      child.kill();
      await exit;
    });
  });

  test('ends cleanly when it is told so while it starts', async () => {
    const { child, exit } = launch({});
    await once(child, 'spawn');
    child.kill('SIGTERM');
    const { code, stderr } = await exit;
    // Before our first line has run, the signal's own effect: no code.
    expect([0, null]).toContain(code);
    expect(stderr).toBe('');
  });
});

describe('npm start refuses in clear words, with code 1:', () => {
  async function refusal(env: Record<string, string>): Promise<string[]> {
    const { code, stderr, stdout } = await launch(env).exit;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).not.toMatch(/^ +at /m);
    return stderr.trimEnd().split('\n');
  }

  test('a busy port', async () => {
    const busy = createServer().listen(0, '127.0.0.1');
    await once(busy, 'listening');
    const address = busy.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    expect(await refusal({ PORT: String(port) })).toEqual([`Port ${port} is in use; PORT names another.`]);
    busy.close();
  });

  test('an environment with faults, all of them', async () => {
    const faulty = { PORT: 'x', TABLE_NAME: 'a b', DYNAMODB_ENDPOINT: 'nowhere', RATE_LIMIT_PER_MINUTE: '0' };
    expect(await refusal(faulty)).toEqual([
      'The environment is not valid:',
      expect.stringMatching(/^ {2}PORT must be/),
      expect.stringMatching(/^ {2}DYNAMODB_ENDPOINT must be/),
      expect.stringMatching(/^ {2}TABLE_NAME must have/),
      expect.stringMatching(/^ {2}RATE_LIMIT_PER_MINUTE must be/),
    ]);
  });

  test('an unknown engine', async () => {
    expect(await refusal({ DYNAMODB_ENGINE: 'sqlite', DYNAMODB_ENDPOINT: '' })).toEqual([
      'DYNAMODB_ENGINE must be one of dynamodb-local, dynoxide',
    ]);
  });

  test('an endpoint at which nothing answers', async () => {
    expect(await refusal({ DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' })).toEqual([
      expect.stringContaining('no DynamoDB answers at http://127.0.0.1:1'),
    ]);
  });

  test.each([
    ['missing', 'no-such-file.json', 'ENOENT'],
    ['a folder', 'test', 'EISDIR'],
  ])('a project file that is %s', async (_, PROJECT_FILE, code) => {
    expect(await refusal({ PROJECT_FILE })).toEqual([`The project file ${PROJECT_FILE} cannot be read (${code}).`]);
  });

  test('a project file with faults, each on its line', async () => {
    const faulty = projectFile({ vouchers: [{ code: 'A' }, { code: 7, type: 'DISCOUNT_VOUCHER' }] });
    await withFile(faulty, async (PROJECT_FILE) => {
      expect(await refusal({ PROJECT_FILE })).toEqual([
        `${PROJECT_FILE}: the project file has 2 faults; nothing was written`,
        expect.stringMatching(/^ {2}vouchers\[0\]/),
        expect.stringMatching(/^ {2}vouchers\[1\]/),
      ]);
    });
  });

  test('a project file that is not JSON', async () => {
    await withFile('{"project": ', async (PROJECT_FILE) => {
      expect((await refusal({ PROJECT_FILE }))[0]).toBe(
        `${PROJECT_FILE}: the project file has a fault; nothing was written`,
      );
    });
  });
});
