import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { DeleteTableCommand, DescribeTableCommand, DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, inject, test } from 'vitest';
import { createTable } from '../../../infra/local/create-table.ts';
import { startEngine } from '../../../infra/local/engine.ts';
import { EngineError, type Program } from '../../../infra/local/engine-program.ts';
import { engineClient } from '../../support/dependencies.ts';

/** Answers every call as DynamoDB answers ListTables. */
const standIn = `
  require('node:http')
    .createServer((_, response) => response.end('{"TableNames":[]}'))
    .listen(Number(process.argv[1]), '127.0.0.1')`;

const program = (name: string, script: string): Program => ({
  name,
  command: process.execPath,
  args: (port) => ['-e', script, String(port)],
  data: 'nowhere',
});

const found = (name: string, script = standIn) => ({
  name,
  find: async () => program(name, script),
});

const missing = async (): Promise<Program> => {
  throw new EngineError('it is missing');
};

const both = { 'dynamodb-local': found('the genuine').find, dynoxide: found('the native').find };

const answers = (endpoint: string) =>
  fetch(endpoint, { method: 'POST' }).then(
    () => true,
    () => false,
  );

describe('the engine', () => {
  test.each([
    ['the preferred one', {}, 'the native', 'the first choice here'],
    ['the one that is forced', { DYNAMODB_ENGINE: 'dynamodb-local' }, 'the genuine', 'DYNAMODB_ENGINE names it'],
  ])('is %s', async (_, env, name, why) => {
    const engine = await startEngine({ prefer: 'dynoxide', env, finders: both });
    await engine.stop();
    expect(engine).toMatchObject({ name, why });
  });

  test.each([
    ['is missing', missing, /it is missing/],
    ['ends at once', found('x', "console.error('no memory\\n    at x.js'); process.exit(1)").find, /no memory/],
    ['is no program', async () => ({ ...program('x', ''), command: 'no-such-program' }), /ENOENT/],
  ])('is the other one when the preferred one %s, and says why', async (_, find, why) => {
    const engine = await startEngine({ prefer: 'dynoxide', env: {}, finders: { ...both, dynoxide: find } });
    await engine.stop();
    expect(engine.name).toBe('the genuine');
    expect(engine.why).toMatch(why);
  });

  test('is not replaced if it is forced and cannot run', async () => {
    const env = { DYNAMODB_ENGINE: 'dynoxide' };
    await expect(startEngine({ prefer: 'dynoxide', env, finders: { ...both, dynoxide: missing } })).rejects.toThrow(
      'dynoxide cannot run: it is missing',
    );
  });

  test('has ended after stop, and stop may be called twice', async () => {
    const engine = await startEngine({ prefer: 'dynoxide', env: {}, finders: both });
    expect(await answers(engine.endpoint)).toBe(true);
    await engine.stop();
    expect(await answers(engine.endpoint)).toBe(false);
    await engine.stop();
  });

  test('gets another port if its port was taken meanwhile', async () => {
    const ports: number[] = [];
    const unlucky: Program = {
      ...program('x', ''),
      args: (port) => {
        ports.push(port);
        return ['-e', ports.length === 1 ? "throw new Error('address already in use')" : standIn, String(port)];
      },
    };
    const engine = await startEngine({
      prefer: 'dynoxide',
      env: {},
      finders: { ...both, dynoxide: async () => unlucky },
    });
    await engine.stop();
    expect(ports).toHaveLength(2);
    expect(engine.endpoint).toBe(`http://127.0.0.1:${ports[1]}`);
  });

  test('keeps running if it ran before us', async () => {
    const engine = await startEngine({ prefer: 'dynoxide', env: { DYNAMODB_ENDPOINT: inject('endpoint') } });
    await engine.stop();
    expect(engine.endpoint).toBe(inject('endpoint'));
    expect(await answers(engine.endpoint)).toBe(true);
  });
});

describe('without an engine, the message', () => {
  test('names the three ways, and why each fails', async () => {
    const none = startEngine({
      prefer: 'dynoxide',
      env: {},
      finders: { 'dynamodb-local': missing, dynoxide: missing },
    });
    await expect(none).rejects.toThrow(EngineError);
    await expect(none).rejects.toThrow(
      /dynoxide cannot run.*\nDynamoDB Local cannot run.*\n.*\n.*DYNAMODB_ENDPOINT.*\n.*Java 17.*\n.*x64/,
    );
  });

  test('names the known engines', async () => {
    const env = { DYNAMODB_ENGINE: 'sqlite' };
    await expect(startEngine({ prefer: 'dynoxide', env })).rejects.toThrow(
      'DYNAMODB_ENGINE must be one of dynamodb-local, dynoxide',
    );
  });

  test('names the endpoint at which nothing answers', async () => {
    const env = { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' };
    await expect(startEngine({ prefer: 'dynoxide', env })).rejects.toThrow(/no DynamoDB answers at http:\/\/127/);
  });

  test('names Java if Java is missing', async () => {
    const env = { DYNAMODB_ENGINE: 'dynamodb-local', PATH: '', JAVA_HOME: '/nowhere' };
    await expect(startEngine({ prefer: 'dynoxide', env })).rejects.toThrow(/needs Java 17, found none/);
  });
});

test('the table has the one shape, and creating it again changes nothing', async () => {
  const client = engineClient();
  const TableName = `tessera-test-${randomUUID()}`;
  await createTable(client, TableName);
  await createTable(client, TableName);
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  expect(Table).toMatchObject({
    TableStatus: 'ACTIVE',
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  });
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  expect(TimeToLiveDescription).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'expiresAt' });
  await client.send(new DeleteTableCommand({ TableName }));
  client.destroy();
});

test('an engine has its own process group, so that Ctrl-C at the terminal does not reach it', async () => {
  const groups: string[] = [];
  const engine = await startEngine({
    prefer: 'dynoxide',
    env: {},
    finders: both,
  });
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=,pgid=,ppid=', '-A']);
  for (const line of stdout.trim().split('\n')) {
    const [pid = '', group = '', parent] = line.trim().split(/\s+/);
    if (parent === String(process.pid)) groups.push(pid === group ? 'own' : 'shared');
  }
  await engine.stop();
  expect(groups).toContain('own');
});
