import { beforeAll, describe, expect, test } from 'vitest';
import { type Operation, operationNamed, operations } from '../../infra/operations.ts';
import { hashSecret } from '../../lib/http/projects/secret.ts';
import type { Reply } from '../support/call.ts';
import { isWriting, observed, type SentCommand } from '../support/commands.ts';
import { ownTable, standingClock, testDependencies, testTime } from '../support/dependencies.ts';
import { insertExampleLock } from '../support/locks.ts';
import { loadMarked, type Marked } from '../support/marked-demo.ts';
import { requestsTo } from '../support/one-of-each.ts';
import { loadFile } from '../support/project.ts';
import { sampled } from '../support/sampled.ts';
import { keysIn, readKeys, readState, restoreState, type State } from '../support/table-state.ts';
import { bearer, issueToken } from '../support/tokens.ts';
import { waysOf } from '../support/ways-to-name.ts';
import { call, callTo, everythingOf, nobodys, type World, worldOf } from '../support/worlds.ts';

type Headers = Record<string, string>;
type TestDependencies = ReturnType<typeof testDependencies>;

/** Ids that were made by what was asked, also those within addresses and sentences, and that of the request. */
const madeForThis =
  /(?<!\w)(aa|del|camp|cust|act|grp|asgm|v|val|valid|ord|ordli|pub|r|rf)_[\w-]{22,}|(?<=proj_\w+\.)[\w-]{40,}|(?<="request_id":")[\w-]{36}(?=")/g;

/** What the caller gets to see, but for names that only the caller has sent. */
function seen({ status, headers, body }: Reply, { mark, project, activity, token, binEntryId }: World) {
  // A publication draws the code of the voucher that it makes.
  const drawn = status === 200 && body?.object === 'publication' ? [body.voucher.code] : [];
  const without = [project, activity, token, binEntryId, ...drawn, ...(mark === '' ? [] : [mark])].reduce(
    (text, name) => text.replaceAll(name, ''),
    JSON.stringify(body),
  );
  const { 'X-Request-Id': _, 'X-Rate-Limit-Remaining': __, ...others } = headers;
  return { status, headers: others, body: { ...JSON.parse(without.replace(madeForThis, '<new>')), request_id: '' } };
}

const mark = '-2nd';
let dependencies: TestDependencies;
let first: Marked;
let second: Marked;
let own: World;
let others: World;
let nobody: World;

const tables: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const tableName = await ownTable((cleanUp) => tables.push(cleanUp));
  dependencies = testDependencies({ tableName, managementGuard: 'keys', clock: standingClock() });
  [first, second] = [await loadMarked('', dependencies), await loadMarked(mark, dependencies)];
  [own, others] = [await worldOf(first, '', dependencies), await worldOf(second, mark, dependencies)];
  nobody = nobodys('-nil', others);
  return () => Promise.all(tables.map((cleanUp) => cleanUp()));
});

/** One's own lists, as the examples ask for them, before anything was asked for that is another's. */
test('no list has anything of another project', async () => {
  const requestTo = await requestsTo(first, dependencies);
  const lists = operations.filter(({ route }) => route.method === 'GET' && route.authentication === 'server');
  for (const operation of lists) {
    const { status, body } = await call(operation, dependencies)(requestTo(operation));
    expect(status, operation.name).toBe(200);
    expect(JSON.stringify(body), operation.name).not.toContain(mark);
  }
});

/** As a page of the project calls. */
const pageOf = ({ pageToken }: World) => bearer(pageToken);

function headersFor(authentication: Operation['route']['authentication']): Headers {
  if (authentication === 'management') return first.management;
  if (authentication === 'client') return pageOf(own);
  return authentication === 'none' ? {} : first.credentials;
}

/** Each has many requests: a quick run takes so many operations, from all families, however many there are. */
const asking = sampled(operations, 50);
const rows = asking.map((operation) => [operation.name, operation] as const);

describe("another project's ids, codes and names are answered like those of nobody, at the same work, and nothing of it changes:", () => {
  let before: Awaited<ReturnType<typeof everythingOf>>;
  /** What was written since the test began. */
  const written: string[] = [];
  const commands: SentCommand[] = [];
  let asked: TestDependencies;
  let state: State;

  beforeAll(async () => {
    before = await everythingOf(second, others, dependencies);
    state = await readState(dependencies);
    const after = (command: SentCommand) => {
      if (!isWriting(command.name)) return;
      written.push(JSON.stringify(command.input));
      commands.push(command);
    };
    asked = { ...dependencies, dynamodb: observed(dependencies.dynamodb, { after }) };
  });

  test.each(rows)('%s', async (_, operation) => {
    const { authentication } = operation.route;
    written.length = 0;
    const send = call(operation, asked);
    const credentials: Record<string, Headers> = {
      ...(authentication === 'app-key' || authentication === 'server' ? { 'app headers': first.credentials } : {}),
      ...(authentication === 'server' ? { 'a bearer token': bearer(own.token) } : {}),
      ...(authentication === 'client' ? { 'a bearer token': pageOf(own) } : {}),
      ...(authentication === 'management' ? { 'a management key': first.management } : {}),
      ...(authentication === 'none' ? { nothing: {} } : {}),
    };
    for (const [credential, headers] of Object.entries(credentials)) {
      for (const [name, way] of waysOf(operation)) {
        const ask = async (world: World) => {
          const reply = await send({ ...way(own, world), headers });
          const { dynamodb_calls } = JSON.parse(dependencies.lines.at(-1) ?? '');
          // Which project a picture is of stands in its address, for all to see.
          return { ...seen(reply, world), calls: authentication === 'none' ? 0 : dynamodb_calls };
        };
        // Credentials that the container knows already cost nothing; the first call would.
        await ask(nobodys('-0th', others));
        const [foreign, unknown] = [await ask(others), await ask(nobody)];
        expect(foreign, `${name} with ${credential}`).toEqual(unknown);
      }
    }
    // One of these stands in each key of the second project, and of what opens it.
    const ofSecond = [second.id, hashSecret(others.token), hashSecret(others.pageToken)];
    expect(written.filter((text) => ofSecond.some((part) => text.includes(part)))).toEqual([]);
    // A customer who was made under one of these names is none for the next operation.
    await restoreState(dependencies, state, await readKeys(dependencies, state, commands.splice(0).flatMap(keysIn)));
  });

  test('and after all of them, all of it is as it was', async () => {
    expect(await everythingOf(second, others, dependencies)).toEqual(before);
  });

  test('so that its tokens go on being good, and open itself alone', async () => {
    const headers = bearer(others.token);
    const get = callTo('get-voucher', dependencies);
    expect((await get({ headers, params: { code: `TIDE-ASLEEP${mark}` } })).status).toBe(200);
    expect((await get({ headers, params: { code: 'TIDE-ASLEEP' } })).status).toBe(404);
    expect((await get({ headers: bearer(own.token), params: { code: 'TIDE-ASLEEP' } })).status).toBe(200);
  });

  test('and a name that it has is free', async () => {
    const send = callTo('create-campaign', dependencies);
    const create = (name: string) => send({ headers: first.credentials, body: { name, vouchers_count: 0 } });
    expect((await create(`Early tide${mark}`)).status).toBe(200);
    expect((await create('Early tide')).status).toBe(409);
  });

  test('and an idempotency key that it has used is a new one', async () => {
    const send = callTo('enable-voucher', dependencies);
    const enable = async ({ credentials }: Marked, code: string) => {
      const reply = await send({ headers: { ...credentials, 'idempotency-key': 'monday' }, params: { code } });
      return [reply.status, reply.headers['Idempotent-Replayed']];
    };
    expect(await enable(second, `TIDE-ASLEEP${mark}`)).toEqual([200, undefined]);
    expect(await enable(first, 'TIDE-ASLEEP')).toEqual([200, undefined]);
    expect(await enable(first, 'TIDE-ASLEEP')).toEqual([200, 'true']);
  });
});

describe("what is named so finds what is one's own:", () => {
  let state: State;
  const written: SentCommand[] = [];
  let watched: TestDependencies;
  /** Nobody's names that were not sent before: of others, pages may have made customers. */
  let unheard: World;

  beforeAll(async () => {
    unheard = nobodys('-unheard', others);
    // What was asked for by names that others have may have changed what is one's own.
    await loadFile(first.file, testTime, dependencies);
    await insertExampleLock(first.id, dependencies);
    state = await readState(dependencies);
    const after = (command: SentCommand) => {
      if (isWriting(command.name)) written.push(command);
    };
    watched = { ...dependencies, dynamodb: observed(dependencies.dynamodb, { after }) };
  });

  // What is only accepted finds it later.
  const done = rows.filter(([, { route }]) => route.reply.status !== 202 && !route.files?.includes('put rows'));
  test.each(done)('%s', async (_, operation) => {
    const { authentication } = operation.route;
    const send = call(operation, watched);
    const headers = headersFor(authentication);
    for (const [name, way] of waysOf(operation)) {
      const ask = async (world: World) => seen(await send({ ...way(own, world), headers }), world);
      expect(await ask(own), name).not.toEqual(await ask(unheard));
      // What one way changes or deletes is as it was for the next, and for other operations.
      await restoreState(dependencies, state, await readKeys(dependencies, state, written.splice(0).flatMap(keysIn)));
    }
  });
});

test('every operation whose path names something has a way to name what is not its own', () => {
  const without = operations.filter(({ route }) => route.params).filter((operation) => waysOf(operation).length === 0);
  expect(without.map(({ name }) => name)).toEqual([]);
});

test('ids, codes and names that two projects have lead each to its own', async () => {
  const [one, twin] = [await loadMarked('', dependencies), await loadMarked('', dependencies)];
  const twinWorld = { ...own, token: await issueToken(twin.credentials, 'api', dependencies) };
  const before = await everythingOf(twin, twinWorld, dependencies);
  const requestTo = await requestsTo(one, dependencies);
  // There can be one of each, which has to go before it is made.
  const only = ['delete-stacking-rules', 'create-stacking-rules', 'delete-brand', 'create-brand'].map(operationNamed);
  for (const operation of [...operations.filter((some) => !only.includes(some)), ...only]) {
    const request = requestTo(operation);
    const headers = operation.route.authentication === 'management' ? one.management : request.headers;
    const { status } = await call(operation, dependencies)({ ...request, ...(headers ? { headers } : {}) });
    expect(status, operation.name).toBe(operation.route.reply.status);
  }
  expect(await everythingOf(twin, twinWorld, dependencies)).toEqual(before);
});
