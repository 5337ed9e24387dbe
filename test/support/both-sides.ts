import { isDeepStrictEqual } from 'node:util';

/** Compares everything that two services show of one project, by requests alone. Nothing here knows how a project is copied. */

export interface Service {
  readonly url: string;
  readonly headers: Record<string, string>;
}

type Row = Record<string, unknown>;

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

async function get({ url, headers }: Service, path: string): Promise<Row> {
  const response = await fetch(url + path, { headers });
  const body = (await response.json()) as Row;
  if (!response.ok) throw new Error(`${path} is answered with ${response.status} ${JSON.stringify(body)}`);
  return body;
}

const elementsOf = (reply: Row): Row[] => (reply[String(reply.data_ref)] as Row[] | undefined) ?? [reply];

/** Reads a whole list, or one object. Some lists have pages, and some have cursors. */
async function readAll(service: Service, path: string): Promise<Row[]> {
  const all: Row[] = [];
  const sign = path.includes('?') ? '&' : '?';
  for (let page = 1, next = path; ; page++) {
    if (page > 50) throw new Error(`${path} does not end`);
    const reply = await get(service, next);
    all.push(...elementsOf(reply));
    if (reply.has_more !== true) return all;
    const { more_starting_after: after } = reply;
    next = `${path}${sign}${after === undefined ? `page=${page + 1}` : `starting_after_id=${after}`}`;
  }
}

const ids = (rows: readonly Row[], field = 'id') => rows.map((row) => encodeURIComponent(String(row[field])));

/** Names the lists and objects of the project, by what it has at the source. */
async function pathsOf(source: Service): Promise<string[]> {
  const read = (path: string) => readAll(source, path);
  const limit = 'limit=100';
  const [campaigns, customers, vouchers, products, segments, rules, orders, rewards] = await Promise.all([
    read(`/v1/campaigns?${limit}`),
    read(`/v1/customers?${limit}`),
    read(`/v1/vouchers?${limit}`),
    read(`/v1/products?${limit}`),
    read(`/v1/segments?${limit}`),
    read(`/v1/validation-rules?${limit}`),
    read(`/v1/orders?${limit}`),
    read(`/v1/rewards?${limit}`),
  ]);
  const of = (kind: string) => campaigns.filter(({ campaign_type: type }) => type === kind);
  const loyalty = ids(of('LOYALTY_PROGRAM'));
  const cards = vouchers.filter(({ type }) => type === 'LOYALTY_CARD');
  const referral = vouchers.filter(({ is_referral_code: is }) => is === true);
  return [
    ...['campaigns', 'categories', 'customers', 'locations', 'loyalties', 'orders', 'product-collections', 'products'],
    ...[
      'promotions/stacks',
      'promotions/tiers',
      'publications',
      'redemptions',
      'rewards',
      'segments',
      'validation-rules',
    ],
    ...['validation-rules-assignments', 'vouchers', 'templates/campaigns', 'trash-bin'],
    ...ids(campaigns).flatMap((id) => [`campaigns/${id}`, `campaigns/${id}/summary`]),
    ...ids(of('PROMOTION')).flatMap((id) => [`promotions/${id}/tiers`, `promotions/${id}/stacks`]),
    ...loyalty.flatMap((id) =>
      [
        ...['', '/tiers', '/earning-rules', '/reward-assignments', '/rewards', '/members', '/pending-points'],
        '/transactions',
      ].map((part) => `loyalties/${id}${part}`),
    ),
    ...ids(cards, 'code').flatMap((code) =>
      [...['', '/rewards', '/tiers', '/pending-points', '/transactions', '/activity']].map(
        (part) => `loyalties/members/${code}${part}`,
      ),
    ),
    ...cards.map(
      ({ code, campaign_id }) =>
        `loyalties/${campaign_id}/members/${encodeURIComponent(String(code))}/points-expiration`,
    ),
    ...ids(customers).flatMap((id) =>
      ['', '/activities', '/segments', '/redeemables'].map((part) => `customers/${id}${part}`),
    ),
    ...ids(vouchers, 'code').flatMap((code) =>
      ['', '/redemptions', '/publications', '/transactions'].map((part) => `vouchers/${code}${part}`),
    ),
    ...ids(referral, 'code').map((code) => `referrals/members/${code}/holders`),
    ...ids(products).flatMap((id) => [`products/${id}`, `products/${id}/skus`]),
    ...ids(segments).map((id) => `segments/${id}`),
    ...ids(rules).flatMap((id) => [`validation-rules/${id}`, `validation-rules/${id}/assignments`]),
    ...ids(orders).map((id) => `orders/${id}`),
    ...ids(rewards).flatMap((id) => [`rewards/${id}`, `rewards/${id}/assignments`]),
    'metadata-schemas',
  ].map(
    (path) =>
      `/v1/${path}${/^[\w-]+(\/(tiers|stacks|campaigns))?$|\/(redemptions|publications|transactions|holders|members|skus|activities|assignments|pending-points)$/.test(path) ? `?${limit}` : ''}`,
  );
}

/** Each service makes ids of vouchers by itself. Their codes name the same vouchers on both sides, also within other ids. */
async function codesOf(...services: readonly Service[]): Promise<(text: string) => string> {
  const vouchers = await Promise.all(services.map((service) => readAll(service, '/v1/vouchers?limit=100')));
  const codes = new Map(vouchers.flat().map(({ id, code }) => [String(id).replace(/^v_/, ''), `voucher ${code}`]));
  return (text) => text.replace(/(?:^v_)?[\w-]{22}(?=$|_\d|_never)/, (id) => codes.get(id.replace(/^v_/, '')) ?? id);
}

function named(value: unknown, name: (text: string) => string): unknown {
  if (typeof value === 'string') return name(value);
  if (Array.isArray(value)) return value.map((one) => named(one, name));
  if (!isRow(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, named(one, name)]));
}

export interface Apart {
  /** `redemptions order.items[].amount` */
  readonly place: string;
  readonly source: unknown;
  readonly here: unknown;
}

function keyOf(row: Row): string {
  const { id, code, name, object, redeemable_id: held, holder_role: role } = row;
  // A holding is named by its voucher, and a summary by its list.
  if (held !== undefined) return `${held} ${role} ${row.customer_id}`;
  return String(id ?? code ?? name ?? (object === 'campaign_summary' ? object : JSON.stringify(row)));
}

function* apart(source: unknown, here: unknown, place: string): Generator<Apart> {
  if (isDeepStrictEqual(source, here)) return;
  if (isRow(source) && isRow(here)) {
    for (const name of new Set([...Object.keys(source), ...Object.keys(here)])) {
      yield* apart(source[name], here[name], `${place} ${name}`);
    }
  } else if (Array.isArray(source) && Array.isArray(here) && source.length === here.length) {
    for (const [index, one] of source.entries()) yield* apart(one, here[index], `${place}[]`);
  } else yield { place, source, here };
}

/** The path without the names of objects, so that equal differences have one place. */
function kindOf(path: string): string {
  const [bare = ''] = path.replace('/v1/', '').split('?');
  if (/^(promotions\/(tiers|stacks)|templates\/campaigns)$/.test(bare)) return bare;
  const [, list, rest] = /^((?:loyalties|referrals)\/members|[\w-]+)\/[^/]+(.*)$/.exec(bare) ?? [];
  return list === undefined ? bare : `${list}/*${rest?.replace(/^\/members\/[^/]+/, '/members/*')}`;
}

/** Returns each field that differs, with the number of things that were compared. */
export async function compareSides(source: Service, here: Service): Promise<{ compared: number; found: Apart[] }> {
  const codes = await codesOf(source, here);
  const found: Apart[] = [];
  let compared = 0;
  for (const path of await pathsOf(source)) {
    const [ours, theirs] = await Promise.all([readAll(source, path), readAll(here, path)]);
    const kind = kindOf(path);
    const [one, other] = [ours, theirs].map(
      (rows) => new Map(rows.map((row) => named(row, codes) as Row).map((row) => [keyOf(row), row])),
    );
    if (!one || !other) continue;
    for (const [key, row] of one) {
      compared += 1;
      if (!other.has(key)) found.push({ place: `${kind}: missing`, source: row, here: undefined });
      else found.push(...apart(row, other.get(key), `${kind}:`));
    }
    for (const [key, row] of other) {
      if (!one.has(key)) found.push({ place: `${kind}: added`, source: undefined, here: row });
    }
    const order = (rows: ReadonlyMap<string, Row>) => [...rows.keys()].filter((key) => one.has(key) && other.has(key));
    if (!isDeepStrictEqual(order(one), order(other))) {
      found.push({ place: `${kind}: order`, source: order(one), here: order(other) });
    }
  }
  return { compared, found };
}
