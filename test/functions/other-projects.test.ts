import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Operation, operationNamed, operations } from '../../infra/operations.ts';
import { voucherId } from '../../lib/codes/voucher-id.ts';
import type { Dependencies } from '../../lib/http/composition.ts';
import { appKeysById } from '../../lib/projects/app-key.ts';
import { managementKeysById } from '../../lib/projects/management-key.ts';
import { findProject, listedProjects } from '../../lib/projects/project.ts';
import { hashSecret } from '../../lib/projects/secret.ts';
import { itemsOfProject, keyOf, keyText } from '../../lib/table/keys.ts';
import { Table } from '../../lib/table/table.ts';
import { tokensByHash } from '../../lib/tokens/token.ts';
import { assetId } from '../../lib/vouchers/asset-id.ts';
import { exampleAction, insertAction } from '../support/actions.ts';
import type { Request } from '../support/api-event.ts';
import { caller, type Reply } from '../support/call.ts';
import { isWriting, observed, type SentCommand } from '../support/commands.ts';
import { ownTable, standingClock, testDependencies, testTime } from '../support/dependencies.ts';
import { exampleRedemptions } from '../support/example-redemptions.ts';
import { exampleExports, insertExports } from '../support/exports.ts';
import { exampleSession, insertExampleLock } from '../support/locks.ts';
import { binnedIn, requestsTo } from '../support/one-of-each.ts';
import { credentialsOf, loadFile, projectFile, type TestProject } from '../support/project.ts';
import { insertExampleRedemptions } from '../support/redemptions.ts';
import { sampled } from '../support/sampled.ts';
import { keysIn, readKeys, readState, restoreState, type State } from '../support/table-state.ts';
import { bearer, issueToken } from '../support/tokens.ts';

type Headers = Record<string, string>;
type TestDependencies = ReturnType<typeof testDependencies>;
type Loaded = TestProject & { management: Headers };
type Lists = Record<string, Record<string, unknown>[]>;

const demo = JSON.parse(await readFile(new URL('../../infra/local/demo-project.json', import.meta.url), 'utf8'));
const { project: demoProject, app_keys, management_keys, ...demoLists } = demo;

/** Texts by which the demo's resources are found. */
function namesIn(lists: Lists): Set<string> {
  const fields = ['id', 'name', 'code', 'source_id'];
  const values = Object.values(lists).flatMap((list) => list.flatMap((entry) => fields.map((field) => entry[field])));
  return new Set(values.filter((value) => typeof value === 'string'));
}

// Examples rename and delete the demo's own categories.
demoLists.categories?.push({ id: 'cat_shelf', name: 'Shelf', hierarchy: 9 });
const demoNames = namesIn(demoLists).add(exampleAction).add(exampleSession);
for (const id of [...exampleExports, ...exampleRedemptions]) demoNames.add(id);

/** By what else something of the demo is found in a path: a campaign by its name, a customer by the id of its shop. */
const otherNames = new Map<string, string>(
  [...demoLists.campaigns, ...demoLists.customers].flatMap(({ id, name, source_id: sourceId }) => {
    const other = sourceId ?? name;
    return [[id, other] as const, [other, id] as const];
  }),
);
const codes = new Set<string>(demoLists.vouchers.map(({ code }: { code: string }) => code));

/** The same with other texts, wherever they stand. */
function renamed(value: unknown, other: (text: string) => string): unknown {
  if (typeof value === 'string') return other(value);
  if (Array.isArray(value)) return value.map((item) => renamed(item, other));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [other(key), renamed(inner, other)]));
}

/** The demo, where everything has the mark behind its name. */
async function loadMarked(mark: string, dependencies: TestDependencies): Promise<Loaded> {
  const own = projectFile(
    renamed(demoLists, (text) => (demoNames.has(text) ? text + mark : text)) as Record<string, unknown>,
  );
  const { id } = own.project;
  const management = { management_id: `ops-${id}`, management_token: `secret-${id}` };
  const file = { ...own, project: { ...demoProject, ...own.project }, management_keys: [management] };
  await loadFile(file, testTime, dependencies);
  await insertAction(id, dependencies, exampleAction + mark);
  await insertExports(id, dependencies, mark);
  await insertExampleRedemptions(id, dependencies, mark);
  await insertExampleLock(id, dependencies, mark);
  return {
    id,
    credentials: credentialsOf(own),
    management: { 'x-management-id': management.management_id, 'x-management-token': management.management_token },
    file,
  };
}

/** As long as the real ones, and of the same letters. */
const madeUp = (prefix: string, bytes = 16) => prefix + randomBytes(bytes).toString('base64url');

/** What somebody could name: of a project that is there, or of none. */
interface World {
  /** Behind the demo's names. */
  mark: string;
  project: string;
  voucherId: (code: string) => string;
  /** What the service has given out. */
  activity: string;
  qr: string;
  barcode: string;
  token: string;
  /** With the scope `client_api`. */
  pageToken: string;
  binEntryId: string;
}

const call = (operation: Operation, dependencies: Dependencies) => caller(operation.handler, dependencies);
const callTo = (name: string, dependencies: Dependencies) => call(operationNamed(name), dependencies);

async function worldOf({ id, credentials: headers }: Loaded, mark: string, dependencies: Dependencies): Promise<World> {
  const table = new Table(dependencies.dynamodb, dependencies.tableName, testTime);
  const project = await findProject(table, id);
  if (!project) throw new Error(`${id} was not loaded`);
  const { params = {}, body } = operationNamed('send-event').route.example;
  const event = renamed(body, (text) => (demoNames.has(text) ? text + mark : text));
  const sent = await callTo('send-event', dependencies)({ headers, params, body: event });
  expect(sent.status).toBe(200);
  const { body: activities } = await callTo(
    'list-customer-activities',
    dependencies,
  )({
    headers,
    params: { customerId: `crm-101${mark}` },
  });
  return {
    mark,
    project: id,
    voucherId: (code) => voucherId(project, code),
    activity: activities.data[0].id,
    qr: assetId(project, 'qr', `TIDE-HELLO${mark}`),
    barcode: assetId(project, 'barcode', `TIDE-HELLO${mark}`),
    token: await issueToken(headers, 'api', dependencies),
    pageToken: await issueToken(headers, 'client_api', dependencies),
    binEntryId: await binnedIn(headers, dependencies),
  };
}

/** What is nobody's, but looks as if it were. */
function nobodys(mark: string, like: World): World {
  const ids = new Map<string, string>();
  return {
    mark,
    project: madeUp('proj_', 12).slice(0, like.project.length),
    voucherId: (code) => {
      const id = ids.get(code) ?? madeUp('v_');
      ids.set(code, id);
      return id;
    },
    activity: like.activity.slice(0, -22) + madeUp(''),
    qr: 'no picture',
    barcode: 'no bar code',
    token: madeUp('', 32),
    pageToken: madeUp('', 32),
    binEntryId: like.binEntryId.slice(0, -22) + madeUp(''),
  };
}

/** Everything of the project, and what opens it. */
async function everythingOf({ id, credentials, management }: Loaded, { token }: World, dependencies: Dependencies) {
  const table = new Table(dependencies.dynamodb, dependencies.tableName, testTime);
  const items = new Map<string, unknown>();
  for await (const page of table.scan(itemsOfProject(id)))
    for (const item of page) items.set(keyText(keyOf(item)), item);
  const credentialKeys = [
    appKeysById(credentials['x-app-id'] ?? ''),
    managementKeysById(management['x-management-id'] ?? ''),
    tokensByHash(hashSecret(token)),
    listedProjects.at(id),
  ];
  const found = await table.getMany(credentialKeys);
  expect(found.every(Boolean)).toBe(true);
  for (const [index, key] of credentialKeys.entries()) items.set(keyText(key), found[index]);
  return items;
}

/** A request that names one thing of `other`, and besides only what is the caller's own. */
type Way = (own: World, other: World) => Request;

const isName = (text: string) => demoNames.has(text) || text === demoProject.id;

function nameIn(text: string, { mark, project }: World): string {
  return text === demoProject.id ? project : text + mark;
}

/** The example, in which one name after the other, and then each, is that of another world; in its path also by other names. */
function waysOfExample({ route: { example } }: Operation): [string, Way][] {
  const { params = {}, body, query } = example;
  const found: string[] = [];
  renamed({ params, body }, (text) => {
    if (isName(text)) found.push(text);
    return text;
  });
  const withOther = (own: World, other: World, isOther: (index: number) => boolean): Request => {
    let index = -1;
    const request = renamed({ params, body }, (text) => {
      if (!isName(text)) return text;
      index += 1;
      return nameIn(text, isOther(index) ? other : own);
    });
    return { ...Object(request), ...(query === undefined ? {} : { query }) };
  };
  const byOtherName = Object.entries(params).flatMap(([param, text]): [string, Way][] => {
    const synonym = otherNames.get(text);
    const named = (name: (world: World) => string): Way => {
      return (own, other) => {
        const request = withOther(own, own, () => false);
        return { ...request, params: { ...request.params, [param]: name(other) } };
      };
    };
    return [
      ...(synonym === undefined ? [] : [[`${param} ${synonym}`, named((world) => nameIn(synonym, world))] as const]),
      ...(codes.has(text) ? [[`${param} by id`, named((world) => world.voucherId(nameIn(text, world)))] as const] : []),
    ].map(([name, way]): [string, Way] => [name, way]);
  });
  return [
    ...found.map((text, place): [string, Way] => [
      `${text} in place ${place}`,
      (own, other) => withOther(own, other, (index) => index === place),
    ]),
    ...(found.length > 1
      ? [['all of them', (own: World, other: World) => withOther(own, other, () => true)] satisfies [string, Way]]
      : []),
    ...byOtherName,
  ];
}

const withToken: Way = (_, { token }) => ({ body: { access_token: token } });
const morning = { campaignId: 'camp_morning' };
const twoBags = { promotionTierId: 'promo_two_bags' };
const toTwoBags = { params: { validationRuleId: 'val_two_bags' }, query: 'force=true' };
const ofOluf = { customerId: 'crm-102' };
const event = (more: object) => ({ body: { event: 'purchase_made', customer: { id: 'cust_oluf' }, ...more } });
const entry = (code: string) => ({ code, points: 1, source_id: 'till-1' });
const aGift = { type: 'GIFT_VOUCHER', gift: { amount: 100 } };
const crewOfOluf = { campaignId: 'camp_crew', memberId: 'CREW-OLUF' };

/** What the one example of an operation can't show; the caller's own names are those of the demo. */
const moreWays: Readonly<Record<string, Readonly<Record<string, Way>>>> = {
  'introspect-token': { token: withToken },
  'revoke-token': { token: withToken },
  'create-campaign': {
    category: (_, { mark }) => ({ body: { category: `Shelf${mark}` } }),
    'category id': (_, { mark }) => ({ body: { category_id: `cat_shelf${mark}` } }),
    rule: (_, { mark }) => ({ body: { validation_rules: [`val_weekday${mark}`] } }),
  },
  'create-voucher': {
    campaign: (_, { mark }) => ({ body: { type: 'GIFT_VOUCHER', campaign: `Gift tins${mark}` } }),
    'campaign id': (_, { mark }) => ({ body: { type: 'GIFT_VOUCHER', campaign_id: `camp_gift${mark}` } }),
    category: (_, { mark }) => ({ body: { ...aGift, category: `Shelf${mark}` } }),
    'category id': (_, { mark }) => ({ body: { ...aGift, category_id: `cat_shelf${mark}` } }),
    rule: (_, { mark }) => ({ body: { ...aGift, validation_rules: [`val_weekday${mark}`] } }),
  },
  'list-vouchers': {
    campaign: (_, { mark }) => ({ query: `campaign=Early+tide${mark}` }),
    'campaign id': (_, { mark }) => ({ query: `campaign_id=camp_morning${mark}` }),
    customer: (_, { mark }) => ({ query: `customer=crm-101${mark}` }),
    category: (_, { mark }) => ({ query: `category=Counter${mark}` }),
    code: (_, { mark }) => ({ query: `code=TIDE-HELLO${mark}&order=code` }),
    id: (_, { mark, voucherId }) => ({ query: `ids[]=${voucherId(`TIDE-HELLO${mark}`)}` }),
    cursor: (_, { mark, voucherId }) => ({ query: `starting_after_id=${voucherId(`TIDE-HELLO${mark}`)}` }),
  },
  'update-voucher': {
    category: (_, { mark }) => ({ params: { code: 'TIDE-HELLO' }, body: { category: `Shelf${mark}` } }),
    'category id': (_, { mark }) => ({ params: { code: 'TIDE-HELLO' }, body: { category_id: `cat_shelf${mark}` } }),
  },
  'create-validation-rule': {
    voucher: (_, { mark }) => ({ body: { name: 'Late', voucher: `TIDE-ASLEEP${mark}` } }),
  },
  'create-validation-rule-assignment': {
    campaign: (_, { mark }) => ({ ...toTwoBags, body: { campaign: `camp_morning${mark}` } }),
    tier: (_, { mark }) => ({ ...toTwoBags, body: { promotion_tier: `promo_two_bags${mark}` } }),
  },
  'delete-trash-bin-entry': { entry: (_, { binEntryId }) => ({ params: { binEntryId } }) },
  'update-campaign': {
    category: (_, { mark }) => ({ params: morning, body: { category: `Shelf${mark}` } }),
    'category id': (_, { mark }) => ({ params: morning, body: { category_id: `cat_shelf${mark}` } }),
  },
  'update-promotion-tier': {
    rule: (_, { mark }) => ({
      params: twoBags,
      body: { validation_rule_assignments: { data: [{ rule_id: `val_weekday${mark}` }] } },
    }),
    category: (_, { mark }) => ({ params: twoBags, body: { category: `Shelf${mark}` } }),
    'category id': (_, { mark }) => ({ params: twoBags, body: { category_id: `cat_shelf${mark}` } }),
  },
  'transfer-points': {
    'one source of two': (_, { mark, voucherId }) => ({
      params: crewOfOluf,
      body: [entry('CREW-INGRID'), entry(voucherId(`CREW-SIÂN${mark}`))],
    }),
  },
  'list-customer-activities': {
    cursor: (_, { activity }) => ({ params: { customerId: 'crm-101' }, query: `starting_after_id=${activity}` }),
    'cursor of a file': (_, { mark }) => ({ params: ofOluf, query: `starting_after_id=act_demo_5${mark}` }),
    campaign: (_, { mark }) => ({ params: { customerId: 'crm-101' }, query: `campaign_id=camp_crew${mark}` }),
  },
  'send-event': {
    customer: (_, { mark }) => event({ customer: { id: `cust_oluf${mark}`, metadata: { taken: 'over' } } }),
    'id of the card': (_, { mark, voucherId }) =>
      event({ loyalty: { code: voucherId(`CREW-OLUF${mark}`) }, metadata: { amount: 25_000 } }),
    'referral code': (_, { mark }) => event({ referral: { code: `MATE-INGRID${mark}` } }),
    referrer: (_, { mark }) => event({ referral: { code: 'MATE-INGRID', referrer_id: `cust_oluf${mark}` } }),
    'source id of the referrer': (_, { mark }) =>
      event({ referral: { code: 'MATE-INGRID', referrer_id: `crm-102${mark}` } }),
  },
  'create-order': {
    order: (_, { mark }) => ({ body: { id: `ord_pickup${mark}`, status: 'CANCELED' } }),
    customer: (_, { mark }) => ({ body: { customer: { id: `cust_oluf${mark}`, metadata: { taken: 'over' } } } }),
    "customer's id": (_, { mark }) => ({ body: { customer_id: `crm-102${mark}`, status: 'PAID', amount: 100_000 } }),
    product: (_, { mark }) => ({ body: { items: [{ product_id: `prod_beans${mark}`, product: { override: true } }] } }),
  },
  'list-campaign-promotion-tiers': {
    available: (_, { mark }) => ({ params: { campaignId: `camp_beans${mark}` }, query: 'is_available=true' }),
  },
  // Whoever holds the id of a picture may see it. Another project's name before a part of one's own id opens nothing.
  'get-qr-asset': { project: (own, { project }) => ({ params: { id: own.qr.replace(own.project, project) } }) },
  'get-barcode-asset': {
    project: (own, { project }) => ({ params: { id: own.barcode.replace(own.project, project) } }),
  },
  'invite-user': {
    'one project of two': (own, { project }) => ({
      body: {
        email: 'marit@harbourcoffee.example',
        first_name: 'Marit',
        last_name: 'Solberg',
        projects: { [own.project]: 'ADMIN', [project]: 'ADMIN' },
      },
    }),
  },
};

const waysOf = (operation: Operation): [string, Way][] => [
  ...waysOfExample(operation),
  ...Object.entries(moreWays[operation.name] ?? {}),
];

/** Ids that were made by what was asked, also those within addresses and sentences, and that of the request. */
const madeForThis =
  /(?<!\w)(aa|del|camp|cust|act|grp|asgm|v|val|valid|ord|ordli|r|rf)_[\w-]{22,}|(?<="request_id":")[\w-]{36}(?=")/g;

/** What the caller gets to see, but for names that only the caller has sent. */
function seen({ status, headers, body }: Reply, { mark, project, activity, token, binEntryId }: World) {
  const without = [project, activity, token, binEntryId, ...(mark === '' ? [] : [mark])].reduce(
    (text, name) => text.replaceAll(name, ''),
    JSON.stringify(body),
  );
  const { 'X-Request-Id': _, 'X-Rate-Limit-Remaining': __, ...others } = headers;
  return { status, headers: others, body: { ...JSON.parse(without.replace(madeForThis, '<new>')), request_id: '' } };
}

const mark = '-2nd';
let dependencies: TestDependencies;
let first: Loaded;
let second: Loaded;
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
const asking = sampled(operations, 80);
const rows = asking.map((operation) => [operation.name, operation] as const);

describe("another project's ids, codes and names are answered like those of nobody, at the same work, and nothing of it changes:", () => {
  let before: Awaited<ReturnType<typeof everythingOf>>;
  /** What was written since the test began. */
  const written: string[] = [];
  let asked: TestDependencies;

  beforeAll(async () => {
    before = await everythingOf(second, others, dependencies);
    const after = ({ name, input }: SentCommand) => {
      if (isWriting(name)) written.push(JSON.stringify(input));
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
    const enable = async ({ credentials }: Loaded, code: string) => {
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

  beforeAll(async () => {
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
  const done = rows.filter(([, { route }]) => route.reply.status !== 202 && route.files !== 'put');
  test.each(done)('%s', async (_, operation) => {
    const { authentication } = operation.route;
    const send = call(operation, watched);
    const headers = headersFor(authentication);
    for (const [name, way] of waysOf(operation)) {
      const ask = async (world: World) => seen(await send({ ...way(own, world), headers }), world);
      expect(await ask(own), name).not.toEqual(await ask(nobody));
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
