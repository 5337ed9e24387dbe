import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Dependencies } from '../../lib/composition.ts';
import { Table } from '../../lib/dynamodb.ts';
import type { Endpoint } from '../../lib/http/endpoint.ts';
import { hashSecret } from '../../lib/projects/secret.ts';
import { type Operation, routes } from '../../lib/routes/index.ts';
import type { Route } from '../../lib/routes/route.ts';
import { itemsOfProject, keyOf, keys, keyText } from '../../lib/table.ts';
import type { Request } from '../support/api-event.ts';
import { caller, type Reply } from '../support/call.ts';
import { ownTable, standingClock, testDependencies, testTime } from '../support/dependencies.ts';
import { requestsTo } from '../support/one-of-each.ts';
import { credentialsOf, loadFile, projectFile, type TestProject } from '../support/project.ts';
import { bearer, form, issueToken } from '../support/tokens.ts';

type Headers = Record<string, string>;

/** What somebody else could name: of a project that is there, or of none. */
interface Names {
  project: string;
  campaign: string;
  campaignName: string;
  loyalty: string;
  loyaltyName: string;
  promotions: string;
  promotionsName: string;
  code: string;
  voucherId: string;
  card: string;
  cardId: string;
  referralCode: string;
  pendingPoints: string;
  customer: string;
  sourceId: string;
  activity: string;
  loadedActivity: string;
  event: string;
  promotionTier: string;
  loyaltyTier: string;
  category: string;
  categoryName: string;
  rule: string;
  role: string;
  brand: string;
  qr: string;
  barcode: string;
  token: string;
}

type TestDependencies = ReturnType<typeof testDependencies>;
type Loaded = TestProject & { management: Headers };

const demoFile = new URL('../../infra/local/demo-project.json', import.meta.url);

/** Texts by which the demo's resources are found. */
function namesIn(lists: Record<string, Record<string, unknown>[]>): Set<string> {
  const fields = ['id', 'name', 'code', 'source_id'];
  const values = Object.values(lists).flatMap((list) => list.flatMap((entry) => fields.map((field) => entry[field])));
  return new Set(values.filter((value) => typeof value === 'string'));
}

/** The same with other names, wherever they stand. */
function renamed(value: unknown, names: ReadonlySet<string>, mark: string): unknown {
  const other = (text: string) => (names.has(text) ? text + mark : text);
  if (typeof value === 'string') return other(value);
  if (Array.isArray(value)) return value.map((item) => renamed(item, names, mark));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [other(key), renamed(inner, names, mark)]));
}

/** The demo, where everything has the mark behind its name. */
async function loadMarked(mark: string, dependencies: TestDependencies): Promise<Loaded> {
  const { project, app_keys, management_keys, ...lists } = JSON.parse(await readFile(demoFile, 'utf8'));
  const own = projectFile(renamed(lists, namesIn(lists), mark) as Record<string, unknown>);
  const { id } = own.project;
  const management = { management_id: `ops-${id}`, management_token: `secret-${id}` };
  const file = { ...own, project: { ...project, ...own.project }, management_keys: [management] };
  await loadFile(file, testTime, dependencies);
  return {
    id,
    credentials: credentialsOf(own),
    management: { 'x-management-id': management.management_id, 'x-management-token': management.management_token },
    file,
  };
}

/** As long as the real ones, and of the same letters. */
const madeUp = (prefix: string, bytes = 16) => prefix + randomBytes(bytes).toString('base64url');

function namesWith(mark: string) {
  return {
    campaign: `camp_morning${mark}`,
    campaignName: `Early tide${mark}`,
    loyalty: `camp_crew${mark}`,
    loyaltyName: `Harbour Crew${mark}`,
    promotions: `camp_beans${mark}`,
    promotionsName: `Bean basket${mark}`,
    code: `TIDE-ASLEEP${mark}`,
    card: `CREW-OLUF${mark}`,
    referralCode: `MATE-INGRID${mark}`,
    pendingPoints: `lopp_tasting${mark}`,
    customer: `cust_oluf${mark}`,
    sourceId: `crm-102${mark}`,
    loadedActivity: `act_demo_5${mark}`,
    event: `purchase_made${mark}`,
    promotionTier: `promo_two_bags${mark}`,
    loyaltyTier: `ltr_captain${mark}`,
    category: `cat_counter${mark}`,
    categoryName: `Counter${mark}`,
    rule: `val_weekday${mark}`,
    role: `role_barista${mark}`,
    brand: `brd_harbour${mark}`,
  };
}

async function callTo(operation: Operation, dependencies: Dependencies): Promise<(request: Request) => Promise<Reply>> {
  const { handler } = (await import(`../../functions/${operation}.ts`)) as { handler: Endpoint };
  return caller(handler, dependencies);
}

/** With what the service itself has given out. */
async function namesOf({ id, credentials: headers }: Loaded, mark: string, dependencies: Dependencies): Promise<Names> {
  const names = namesWith(mark);
  const voucher = async (code: string) =>
    (await (await callTo('get-voucher', dependencies))({ headers, params: { code } })).body;
  const [{ id: voucherId, assets }, { id: cardId }] = [await voucher(names.code), await voucher(names.card)];
  const event = { event: names.event, customer: { source_id: names.sourceId }, loyalty: { code: names.card } };
  const sent = await (await callTo('send-event', dependencies))({
    headers,
    body: { ...event, metadata: { amount: 25_000 } },
  });
  expect(sent.status).toBe(200);
  const { body: activities } = await (await callTo('list-customer-activities', dependencies))({
    headers,
    params: { customerId: names.customer },
  });
  return {
    ...names,
    project: id,
    voucherId,
    cardId,
    activity: activities.data[0].id,
    qr: assets.qr.id,
    barcode: assets.barcode.id,
    token: await issueToken(headers, 'api', dependencies),
  };
}

/** Everything of the project, and what opens it. */
async function everythingOf({ id, credentials, management }: Loaded, { token }: Names, dependencies: Dependencies) {
  const table = new Table(dependencies.dynamodb, dependencies.tableName, testTime);
  const items = new Map<string, unknown>();
  for await (const page of table.scan(itemsOfProject(id)))
    for (const item of page) items.set(keyText(keyOf(item)), item);
  const credentialKeys = [
    keys.appKey(credentials['x-app-id'] ?? ''),
    keys.managementKey(management['x-management-id'] ?? ''),
    keys.token(hashSecret(token)),
    keys.listedProject(id),
  ];
  const found = await table.getMany(credentialKeys);
  expect(found.every(Boolean)).toBe(true);
  for (const [index, key] of credentialKeys.entries()) items.set(keyText(key), found[index]);
  return items;
}

const entry = (code: string) => ({ code, points: 1, source_id: 'till-1' });
const event = (own: Names, more: object) => ({ event: own.event, customer: { id: own.customer }, ...more });

/**
 * For every operation the ways in which it can name something of another project: an operation that is not here does not
 * compile. Without one it names nothing.
 */
const waysToName: Readonly<Record<Operation, (own: Names, other: Names) => Readonly<Record<string, Request>>>> = {
  'issue-token': () => ({}),
  'introspect-token': (_, { token }) => ({ token: { headers: form, body: `access_token=${token}` } }),
  'revoke-token': (_, { token }) => ({ token: { headers: form, body: `access_token=${token}` } }),
  'create-campaign': (_, { category, categoryName, rule }) => ({
    category: { body: { category: categoryName } },
    'category id': { body: { category_id: category } },
    rule: { body: { validation_rules: [rule] } },
  }),
  'get-campaign': (_, { campaign, campaignName }) => ({
    id: { params: { campaignId: campaign } },
    name: { params: { campaignId: campaignName } },
  }),
  'update-campaign': (own, { campaign, campaignName, category, categoryName }) => ({
    id: { params: { campaignId: campaign }, body: { description: 'taken over' } },
    name: { params: { campaignId: campaignName }, body: { description: 'taken over' } },
    category: { params: { campaignId: own.campaign }, body: { category: categoryName } },
    'category id': { params: { campaignId: own.campaign }, body: { category_id: category } },
  }),
  'get-voucher': (_, { code, voucherId }) => ({ code: { params: { code } }, id: { params: { code: voucherId } } }),
  'list-voucher-transactions': (_, { card, cardId }) => ({
    code: { params: { code: card } },
    id: { params: { code: cardId } },
  }),
  'enable-voucher': (_, { code, voucherId }) => ({ code: { params: { code } }, id: { params: { code: voucherId } } }),
  'get-loyalty-campaign': (_, { loyalty, loyaltyName }) => ({
    id: { params: { campaignId: loyalty } },
    name: { params: { campaignId: loyaltyName } },
  }),
  'list-member-tiers': (_, { card, cardId }) => ({
    code: { params: { memberId: card } },
    id: { params: { memberId: cardId } },
  }),
  'list-member-transactions': (_, { card, cardId }) => ({
    code: { params: { memberId: card } },
    id: { params: { memberId: cardId } },
  }),
  'transfer-points': (own, { loyalty, loyaltyName, card, cardId }) => ({
    'campaign and cards': { params: { campaignId: loyalty, memberId: card }, body: [entry(cardId)] },
    campaign: { params: { campaignId: loyalty, memberId: own.card }, body: [entry('CREW-INGRID')] },
    'name of the campaign': { params: { campaignId: loyaltyName, memberId: own.card }, body: [entry('CREW-INGRID')] },
    destination: { params: { campaignId: own.loyalty, memberId: card }, body: [entry(own.card)] },
    'id of the destination': { params: { campaignId: own.loyalty, memberId: cardId }, body: [entry(own.card)] },
    source: { params: { campaignId: own.loyalty, memberId: own.card }, body: [entry(card)] },
    'one source of two': {
      params: { campaignId: own.loyalty, memberId: own.card },
      body: [entry('CREW-INGRID'), entry(cardId)],
    },
  }),
  'adjust-pending-points': (own, { card, cardId, pendingPoints }) => ({
    both: { params: { memberId: card, pendingPointsId: pendingPoints }, body: { points: 1 } },
    'id of the card': { params: { memberId: cardId, pendingPointsId: pendingPoints }, body: { points: 1 } },
    card: { params: { memberId: card, pendingPointsId: own.pendingPoints }, body: { points: 1 } },
    points: { params: { memberId: own.card, pendingPointsId: pendingPoints }, body: { points: 1 } },
  }),
  'get-customer': (_, { customer, sourceId }) => ({
    id: { params: { customerId: customer } },
    'source id': { params: { customerId: sourceId } },
  }),
  'list-customer-activities': (own, { customer, sourceId, loyalty, activity, loadedActivity }) => ({
    id: { params: { customerId: customer } },
    'source id': { params: { customerId: sourceId } },
    cursor: { params: { customerId: own.customer }, query: `starting_after_id=${activity}` },
    'cursor of a file': { params: { customerId: own.customer }, query: `starting_after_id=${loadedActivity}` },
    campaign: { params: { customerId: own.customer }, query: `campaign_id=${loyalty}` },
    'campaign of the customer': { params: { customerId: customer }, query: `campaign_id=${loyalty}` },
  }),
  'send-event': (own, { customer, sourceId, event: name, card, cardId, referralCode }) => ({
    event: { body: { event: name, customer: { id: own.customer } } },
    customer: { body: event(own, { customer: { id: customer, metadata: { taken: 'over' } } }) },
    'source id': { body: event(own, { customer: { source_id: sourceId } }) },
    card: { body: event(own, { loyalty: { code: card }, metadata: { amount: 25_000 } }) },
    'id of the card': { body: event(own, { loyalty: { code: cardId }, metadata: { amount: 25_000 } }) },
    'referral code': { body: event(own, { referral: { code: referralCode } }) },
    referrer: { body: event(own, { referral: { code: own.referralCode, referrer_id: customer } }) },
    'source id of the referrer': { body: event(own, { referral: { code: own.referralCode, referrer_id: sourceId } }) },
  }),
  'list-promotion-tiers': () => ({}),
  'list-campaign-promotion-tiers': (_, { promotions, promotionsName }) => ({
    id: { params: { campaignId: promotions } },
    name: { params: { campaignId: promotionsName } },
    available: { params: { campaignId: promotions }, query: 'is_available=true' },
  }),
  'get-promotion-tier': (_, { promotionTier }) => ({ id: { params: { promotionTierId: promotionTier } } }),
  'update-promotion-tier': (own, { promotionTier, rule, category, categoryName }) => {
    const params = { promotionTierId: own.promotionTier };
    return {
      id: { params: { promotionTierId: promotionTier }, body: { banner: 'taken over', hierarchy: 9 } },
      rule: { params, body: { validation_rule_assignments: { data: [{ rule_id: rule }] } } },
      category: { params, body: { category: categoryName } },
      'category id': { params, body: { category_id: category } },
    };
  },
  'list-reward-assignments': (_, { loyalty, loyaltyName }) => ({
    id: { params: { campaignId: loyalty } },
    name: { params: { campaignId: loyaltyName } },
  }),
  'list-rewards': (_, { loyalty, loyaltyName }) => ({
    id: { params: { campaignId: loyalty } },
    name: { params: { campaignId: loyaltyName } },
  }),
  'list-loyalty-tier-rewards': (own, { loyalty, loyaltyName, loyaltyTier }) => ({
    both: { params: { campaignId: loyalty, loyaltyTierId: loyaltyTier } },
    campaign: { params: { campaignId: loyalty, loyaltyTierId: own.loyaltyTier } },
    'name of the campaign': { params: { campaignId: loyaltyName, loyaltyTierId: loyaltyTier } },
    tier: { params: { campaignId: own.loyalty, loyaltyTierId: loyaltyTier } },
  }),
  // Whoever holds the id of a picture may see it. Another project's name before a part of one's own id opens nothing.
  'get-qr-asset': (own, { project }) => ({ project: { params: { id: own.qr.replace(own.project, project) } } }),
  'get-barcode-asset': (own, { project }) => ({
    project: { params: { id: own.barcode.replace(own.project, project) } },
  }),
  'get-brand': (own, { project, brand }) => ({
    both: { params: { projectId: project, brandingId: brand } },
    project: { params: { projectId: project, brandingId: own.brand } },
    brand: { params: { projectId: own.project, brandingId: brand } },
  }),
  'invite-user': (own, { project, role }) => {
    const person = { email: 'marit@harbourcoffee.example', first_name: 'Marit', last_name: 'Solberg' };
    return {
      project: { body: { ...person, projects: { [project]: 'ADMIN' } } },
      'project and role': { body: { ...person, projects: { [project]: role } } },
      'one project of two': { body: { ...person, projects: { [own.project]: 'ADMIN', [project]: 'ADMIN' } } },
      role: { body: { ...person, email: 'nobody@harbourcoffee.example', projects: { [own.project]: role } } },
    };
  },
  'unknown-path': () => ({}),
};

const operations = Object.entries<Route>(routes) as [Operation, Route][];

/** Ids that were made for this reply alone. */
const madeForThis = /"(camp|cust|act|asgm|v)_[\w-]{22,}"/g;

/** What the caller gets to see, but for the names that he sent himself. */
function seen({ status, headers, body }: Reply, names: Names) {
  const told = Object.entries(names)
    .toSorted(([, a], [, b]) => b.length - a.length)
    .reduce((text, [what, name]) => text.replaceAll(name, `<${what}>`), JSON.stringify(body));
  const { 'X-Request-Id': _, 'X-Rate-Limit-Remaining': __, ...others } = headers;
  return { status, headers: others, body: { ...JSON.parse(told.replace(madeForThis, '"<new>"')), request_id: '' } };
}

const mark = '-2nd';
let dependencies: TestDependencies;
let first: Loaded;
let second: Loaded;
let own: Names;
let others: Names;
let nobodys: Names;

const tables: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const tableName = await ownTable((cleanUp) => tables.push(cleanUp));
  dependencies = testDependencies({ tableName, managementGuard: 'keys', clock: standingClock() });
  [first, second] = [await loadMarked('', dependencies), await loadMarked(mark, dependencies)];
  [own, others] = [await namesOf(first, '', dependencies), await namesOf(second, mark, dependencies)];
  nobodys = {
    ...namesWith('-nil'),
    project: madeUp('proj_', 12).slice(0, others.project.length),
    voucherId: madeUp('v_'),
    cardId: madeUp('v_'),
    activity: others.activity.slice(0, -22) + madeUp(''),
    qr: 'no picture',
    barcode: 'no bar code',
    token: madeUp('', 32),
  };
  return () => Promise.all(tables.map((cleanUp) => cleanUp()));
});

describe("another project's ids, codes and names are answered like those of nobody, at the same work, and nothing of it changes:", () => {
  test.each(operations)('%s', async (operation, { authentication }) => {
    const before = await everythingOf(second, others, dependencies);
    const call = await callTo(operation, dependencies);
    const ways: Record<string, Headers> = {
      ...(authentication === 'app-key' || authentication === 'server' ? { 'app headers': first.credentials } : {}),
      ...(authentication === 'server' ? { 'a bearer token': bearer(own.token) } : {}),
      ...(authentication === 'management' ? { 'a management key': first.management } : {}),
      ...(authentication === 'none' ? { nothing: {} } : {}),
    };
    for (const [credentials, headers] of Object.entries(ways)) {
      const ask = async (names: Names, way: string) => {
        const request = waysToName[operation](own, names)[way] ?? {};
        const reply = await call({ ...request, headers: { ...headers, ...request.headers } });
        const { dynamodb_calls } = JSON.parse(dependencies.lines.at(-1) ?? '');
        // Which project a picture is of stands in its address, for all to see.
        return { ...seen(reply, names), calls: authentication === 'none' ? 0 : dynamodb_calls };
      };
      for (const way of Object.keys(waysToName[operation](own, nobodys))) {
        // Credentials that the container knows already cost nothing; the first call would.
        await ask({ ...nobodys, sourceId: 'crm-nobody' }, way);
        const [foreign, unknown] = [await ask(others, way), await ask(nobodys, way)];
        expect(foreign, `${way} with ${credentials}`).toEqual(unknown);
      }
    }
    expect(await everythingOf(second, others, dependencies)).toEqual(before);
  });

  test('so that its tokens go on being good, and open itself alone', async () => {
    const headers = bearer(others.token);
    const call = await callTo('get-voucher', dependencies);
    expect((await call({ headers, params: { code: others.code } })).status).toBe(200);
    expect((await call({ headers, params: { code: own.code } })).status).toBe(404);
    expect((await call({ headers: bearer(own.token), params: { code: own.code } })).status).toBe(200);
  });

  test('and a name that it has is free', async () => {
    const call = await callTo('create-campaign', dependencies);
    const create = (name: string) => call({ headers: first.credentials, body: { name, vouchers_count: 0 } });
    expect((await create(others.campaignName)).status).toBe(200);
    expect((await create(own.campaignName)).status).toBe(409);
  });

  test('and lists have none of it', async () => {
    const call = await callTo('list-promotion-tiers', dependencies);
    const { body } = await call({ headers: first.credentials, query: 'limit=100' });
    expect(body.tiers.map(({ id }: { id: string }) => id)).toEqual([
      'promo_two_bags',
      'promo_four_bags',
      'promo_crate',
    ]);
  });

  test('and an idempotency key that it has used is a new one', async () => {
    const call = await callTo('enable-voucher', dependencies);
    const enable = async ({ credentials }: Loaded, code: string) => {
      const reply = await call({ headers: { ...credentials, 'idempotency-key': 'monday' }, params: { code } });
      return [reply.status, reply.headers['Idempotent-Replayed']];
    };
    expect(await enable(second, others.code)).toEqual([200, undefined]);
    expect(await enable(first, own.code)).toEqual([200, undefined]);
    expect(await enable(first, own.code)).toEqual([200, 'true']);
  });
});

describe("what is named so finds what is one's own:", () => {
  test.each(operations)('%s', async (operation, { authentication }) => {
    const call = await callTo(operation, dependencies);
    const headers =
      authentication === 'management' ? first.management : authentication === 'none' ? {} : first.credentials;
    for (const way of Object.keys(waysToName[operation](own, own))) {
      const ask = async (names: Names) => {
        const request = waysToName[operation](own, names)[way] ?? {};
        return seen(await call({ ...request, headers: { ...headers, ...request.headers } }), names);
      };
      expect(await ask(own), way).not.toEqual(await ask(nobodys));
    }
  });
});

test('ids, codes and names that two projects have lead each to its own', async () => {
  const [one, twin] = [await loadMarked('', dependencies), await loadMarked('', dependencies)];
  const twinNames = { ...own, token: await issueToken(twin.credentials, 'api', dependencies) };
  const before = await everythingOf(twin, twinNames, dependencies);
  const requestTo = await requestsTo(one, dependencies);
  for (const [operation, route] of operations) {
    const request = requestTo(operation, route);
    const headers = route.authentication === 'management' ? one.management : request.headers;
    const { status } = await (await callTo(operation, dependencies))({ ...request, ...(headers ? { headers } : {}) });
    expect(status, operation).toBe(operation === 'unknown-path' ? 404 : route.reply.status);
  }
  expect(await everythingOf(twin, twinNames, dependencies)).toEqual(before);
});
