import { beforeAll, describe, expect, test } from 'vitest';
import { hashSecret } from '#kernel/access/projects/secret.ts';
import { findOperation, type Operation, operations } from '../../infra/operations.ts';
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

/** Replaces ids that the call made, also those inside addresses and sentences, and the request's id. */
const madeForThis =
  /(?<!\w)(aa|del|camp|cust|act|grp|asgm|v|val|valid|ord|ordli|pub|r|rf)_[\w-]{22,}|(?<=proj_\w+\.)[\w-]{40,}|(?<="request_id":")[\w-]{36}(?=")/g;

/** Returns what the caller sees, except for names that only the caller has sent. */
function seen({ status, headers, body }: Reply, { mark, project, activity, token, binEntryId }: World) {
  // A publication draws the code of the voucher that it creates.
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

/** Reads the project's own lists with their examples, before any request names another project's resources. */
test('no list has anything of another project', async () => {
  const requestTo = await requestsTo(first, dependencies);
  const lists = operations.filter(({ route }) => route.method === 'GET' && route.authentication === 'server');
  for (const operation of lists) {
    const { status, body } = await call(operation, dependencies)(requestTo(operation));
    expect(status, operation.name).toBe(200);
    expect(JSON.stringify(body), operation.name).not.toContain(mark);
  }
});

/** Calls as a web page of the project. */
const pageOf = ({ pageToken }: World) => bearer(pageToken);

function headersFor(authentication: Operation['route']['authentication']): Headers {
  if (authentication === 'management') return first.management;
  if (authentication === 'client') return pageOf(own);
  return authentication === 'none' ? {} : first.credentials;
}

/** Each operation has many requests. A quick run tests some operations of every family. */
const asking = sampled(operations, 50);
const rows = asking.map((operation) => [operation.name, operation] as const);

describe("another project's ids, codes and names are answered like unknown ones, at the same cost, and that project is unchanged:", () => {
  let before: Awaited<ReturnType<typeof everythingOf>>;
  /** Returns the writes since the test began. */
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
          // A picture's address shows its project to the public.
          return { ...seen(reply, world), calls: authentication === 'none' ? 0 : dynamodb_calls };
        };
        // Cached credentials cost nothing, unlike the first call's. A container keeps rules from the second call on.
        for (const before of ['-0th', '-3rd']) await ask(nobodys(before, others));
        const [foreign, unknown] = [await ask(others), await ask(nobody)];
        expect(foreign, `${name} with ${credential}`).toEqual(unknown);
      }
    }
    // Each key and each credential of the second project contains one of these.
    const ofSecond = [second.id, hashSecret(others.token), hashSecret(others.pageToken)];
    expect(written.filter((text) => ofSecond.some((part) => text.includes(part)))).toEqual([]);
    // A customer who was created under one of these names must not exist for the next operation.
    await restoreState(dependencies, state, await readKeys(dependencies, state, commands.splice(0).flatMap(keysIn)));
  });

  test('after all of these requests, the other project is unchanged', async () => {
    expect(await everythingOf(second, others, dependencies)).toEqual(before);
  });

  test('its tokens still work, and open only that project', async () => {
    const headers = bearer(others.token);
    const get = callTo('get-voucher', dependencies);
    expect((await get({ headers, params: { code: `TIDE-ASLEEP${mark}` } })).status).toBe(200);
    expect((await get({ headers, params: { code: 'TIDE-ASLEEP' } })).status).toBe(404);
    expect((await get({ headers: bearer(own.token), params: { code: 'TIDE-ASLEEP' } })).status).toBe(200);
  });

  test('its names are still free here', async () => {
    const send = callTo('create-campaign', dependencies);
    const create = (name: string) => send({ headers: first.credentials, body: { name, vouchers_count: 0 } });
    expect((await create(`Early tide${mark}`)).status).toBe(200);
    expect((await create('Early tide')).status).toBe(409);
  });

  test('an idempotency key that it has used is new here', async () => {
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

/** No discount of the demo depends on the customer. */
const unseen = new Map([['discount-cart', 'crm-101 in place 1']]);

describe('the same requests with own names find own resources:', () => {
  let state: State;
  const written: SentCommand[] = [];
  let watched: TestDependencies;
  /** The names are fresh and unknown, because calls from web pages may have created customers under earlier names. */
  let unheard: World;

  beforeAll(async () => {
    unheard = nobodys('-unheard', others);
    // Requests with another project's names may have changed one's own resources.
    await loadFile(first.file, testTime, dependencies);
    await insertExampleLock(first.id, dependencies);
    state = await readState(dependencies);
    const after = (command: SentCommand) => {
      if (isWriting(command.name)) written.push(command);
    };
    watched = { ...dependencies, dynamodb: observed(dependencies.dynamodb, { after }) };
  });

  // The accepted work is done later.
  const done = rows.filter(([, { route }]) => route.reply.status !== 202 && !route.files?.includes('put rows'));
  test.each(done)('%s', async (_, operation) => {
    const { authentication } = operation.route;
    const send = call(operation, watched);
    const headers = headersFor(authentication);
    for (const [name, way] of waysOf(operation)) {
      const ask = async (world: World) => seen(await send({ ...way(own, world), headers }), world);
      const [known, unknown] = [await ask(own), await ask(unheard)];
      if (unseen.get(operation.name) !== name) expect(known, name).not.toEqual(unknown);
      // Each way starts from the same state, and so do other operations.
      await restoreState(dependencies, state, await readKeys(dependencies, state, written.splice(0).flatMap(keysIn)));
    }
  });
});

test("every operation with a name in its path has a way to name another project's", () => {
  const without = operations.filter(({ route }) => route.params).filter((operation) => waysOf(operation).length === 0);
  // The names of resources and of reports are the same in all projects.
  expect(without.map(({ name }) => name)).toEqual([
    'delete-own-metadata-schema',
    'get-metadata-schema',
    'update-own-metadata-schema',
    'make-report',
  ]);
});

test('ids, codes and names that two projects share lead each project to its own', async () => {
  const [one, twin] = [await loadMarked('', dependencies), await loadMarked('', dependencies)];
  const twinWorld = { ...own, token: await issueToken(twin.credentials, 'api', dependencies) };
  const before = await everythingOf(twin, twinWorld, dependencies);
  const requestTo = await requestsTo(one, dependencies);
  // The project may have a single object of each kind, so it is deleted first.
  const only = ['stacking-rules', 'brand'].flatMap((what) => [`delete-${what}`, `create-${what}`]);
  const last = ['rotate-project-key', 'revoke-project-key', 'delete-project'];
  const onlyOnes = [...only, 'remove-user', 'add-user', ...last].map(findOperation);
  for (const operation of [...operations.filter((some) => !onlyOnes.includes(some)), ...onlyOnes]) {
    const request = requestTo(operation);
    const headers = operation.route.authentication === 'management' ? one.management : request.headers;
    // A key of one project creates none. The management path has deleted the schema of the other example.
    if (['create-project', 'delete-own-metadata-schema'].includes(operation.name)) continue;
    const { status } = await call(operation, dependencies)({ ...request, ...(headers ? { headers } : {}) });
    expect(status, operation.name).toBe(operation.route.reply.status);
  }
  expect(await everythingOf(twin, twinWorld, dependencies)).toEqual(before);
});
