import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { credentialsOf, projectFile } from '../support/project.ts';

const program = join(import.meta.dirname, 'webhook-program.ts');

export type Victim = 'server' | 'engine';

/** Runs a server with its workers and its engine, which a test kills and starts again over the same data. */
export async function openWorld({ pace }: { pace: number }) {
  const dir = await mkdtemp(join(tmpdir(), 'tessera-storm-'));
  await mkdir(join(dir, 'data'));
  const file = projectFile({});
  const path = join(dir, 'project.json');
  await writeFile(path, JSON.stringify(file));
  const env = {
    ...process.env,
    STORM_DIR: join(dir, 'data'),
    STORM_FILE: path,
    STORM_BEGAN: String(Date.now()),
    STORM_PACE: String(pace),
  };
  const run = async () => {
    const child: ChildProcess = fork(program, { env });
    const ended = once(child, 'close');
    const started = await Promise.race([once(child, 'message'), ended.then(() => undefined)]);
    if (!started) throw new Error('the server did not start');
    const { stdout } = await promisify(execFile)('pgrep', ['-P', String(child.pid), 'dynoxide|java']);
    return { child, ended, baseUrl: String(started[0]), engine: Number(stdout) };
  };
  let running = await run();
  let starting = Promise.resolve();
  let isOver = false;
  onTestFinished(async () => {
    isOver = true;
    running.child.kill('SIGKILL');
    await running.ended;
    await rm(dir, { recursive: true, force: true });
  });
  /** Kills the server with its workers and queues, or the engine. Both end, and both start again over what was stored. */
  const kill = (victim: Victim) => {
    const { child, ended, engine } = running;
    if (victim === 'server') child.kill('SIGKILL');
    process.kill(engine, 'SIGKILL');
    starting = ended.then(run).then((again) => {
      running = again;
    });
    return starting;
  };
  const call = async (method: string, route: string, body?: object) => {
    const reply = await fetch(new URL(route, running.baseUrl), {
      method,
      headers: { ...credentialsOf(file), 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: reply.status, body: await reply.json() };
  };
  const manage = (method: string, route: string, body?: object) =>
    call(method, `/management/v1/projects/${file.project.id}/${route}`, body);
  /** Repeats a call until a living server has answered it. */
  const insist = async (method: string, route: string, body?: object) => {
    for (;;) {
      const reply = await call(method, route, body).catch(() => undefined);
      if (reply && reply.status < 500 && reply.status !== 429) return reply;
      if (isOver) throw new Error('the test is over');
      await starting;
    }
  };
  return { kill, manage, insist };
}

export interface Got {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number;
  readonly at: number;
}

/** Starts a receiver that keeps every request, and answers with the chosen status when `answer` calls back. */
export async function openKeeper(
  choose: (id: string) => number,
  answer: (send: () => void, response: ServerResponse) => void = (send) => send(),
) {
  const got: Got[] = [];
  const waiting = new Map<() => boolean, () => void>();
  const look = () => {
    for (const [isEnough, resolve] of waiting) {
      if (isEnough() && waiting.delete(isEnough)) resolve();
    }
  };
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const id = headers['webhook-id'] ?? '';
      const status = choose(id);
      got.push({ id, headers, body: Buffer.concat(pieces).toString(), status, at: performance.now() });
      answer(() => response.writeHead(status).end(), response);
      look();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  /** Returns once the requests are as `isEnough` wants them. */
  const until = (isEnough: () => boolean) =>
    new Promise<void>((resolve) => {
      waiting.set(isEnough, resolve);
      look();
    });
  return { got, until, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks` };
}
