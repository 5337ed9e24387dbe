import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Project } from '#kernel/access/projects/project.ts';
import type { Definition } from '#kernel/core/metadata/definition.ts';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { EngineError } from '../../infra/local/engine-program.ts';
import { findOperation } from '../../infra/operations.ts';
import { coupon } from '../support/lists.ts';
import { type Measurement, median, type Places, patience, sizeOf } from './benchmark.ts';
import { lambdaContext, recordingDependencies, warm } from './compare.ts';
import { upTo } from './project.ts';
import { eventOf } from './subjects.ts';
import { loadedTable, onEngine } from './tables.ts';

/** Measures a whole validation in a project with metadata schemas, and in the same project without schemas. */

const maxMilliseconds = 0.2;

const redeemables = 5;
const linesOfCart = 30;
const keys = 12;
const perRound = 40;
const rounds = sizeOf({ trial: 1, usual: 7 });

const operation = findOperation('validate-redeemables');

const kinds: readonly (readonly [Definition, unknown])[] = [
  [{ type: 'string', max_length: 40, eq: ['light', 'medium', 'dark'] }, 'medium'],
  [{ type: 'number', gte: 0, lt: 1_000 }, 30],
  [{ type: 'datetime', gt: '2020-01-01T00:00:00Z' }, '2026-01-01T01:00:00Z'],
  [{ type: 'string', array: true, max_length: 20 }, ['new', 'sale']],
];

const numbered = upTo(keys, (index) => [`key${index}`, kinds[index % kinds.length]] as const);
const properties = Object.fromEntries(numbered.flatMap(([key, kind]) => (kind ? [[key, kind[0]] as const] : [])));
const metadata = Object.fromEntries(numbered.map(([key, kind]) => [key, kind?.[1]]));

const schemas = ['order', 'order_item', 'product', 'customer', 'redemption'].map((related_object) => ({
  related_object,
  properties,
}));

/** Each rule looks at the metadata of all lines, by a number and by a time. */
const rulesOf = (index: number) => ({
  1: { name: 'product.metadata', property: 'key1', conditions: { $more_than: [index] } },
  2: { name: 'order.items.metadata_any', property: 'key2', conditions: { $after: ['2025-06-01T00:00:00Z'] } },
  3: { name: 'customer.metadata', property: 'key0', conditions: { $is: ['medium'] } },
  logic: '1 and 2 and 3',
});

const headers = { 'x-app-id': 'schemas', 'x-app-token': 'schemas-token-for-local-use-only' };

function shop(id: string, lists: object) {
  const codes = upTo(redeemables, (index) => `CODE-${index}`);
  return {
    project: { id, name: id },
    app_keys: [{ app_id: headers['x-app-id'], app_token: headers['x-app-token'], name: 'Shop' }],
    products: upTo(linesOfCart, (index) => ({ id: `prod_${index}`, name: `Tea ${index}`, price: 400, metadata })),
    customers: [{ id: 'cust_1', source_id: 'ada', metadata }],
    vouchers: codes.map((code) => coupon(code, { type: 'AMOUNT', amount_off: 100 })),
    validation_rules: codes.map((code, index) => ({ id: `val_${code}`, name: code, rules: rulesOf(index) })),
    validation_rules_assignments: codes.map((code) => {
      return { rule_id: `val_${code}`, related_object_type: 'voucher', related_object_id: code };
    }),
    ...lists,
  };
}

const body = {
  redeemables: upTo(redeemables, (index) => ({ object: 'voucher', id: `CODE-${index}` })),
  customer: { source_id: 'ada', metadata },
  metadata,
  order: { metadata, items: upTo(linesOfCart, (index) => ({ product_id: `prod_${index}`, quantity: 2, metadata })) },
};

/** Answers a repeated read from memory, so that the engine and the network add no noise. Counts the calls. */
function rememberReads(client: DynamoDBClient): () => number {
  const answers = new Map<string, unknown>();
  let calls = 0;
  client.middlewareStack.add(
    (next) => async (args) => {
      calls += 1;
      const asked = JSON.stringify(args.input);
      const answer = answers.get(asked) ?? (await next(args));
      answers.set(asked, answer);
      return answer as Awaited<ReturnType<typeof next>>;
    },
    { step: 'build', priority: 'low' },
  );
  return () => calls;
}

async function openSide(client: DynamoDBClient, tableName: string, project: Project) {
  const call = operation.handler.with(recordingDependencies(tableName, createDocumentClient(client)));
  const event = eventOf(operation, { request: () => ({ body, headers }) }, 0, { project, tokens: [] });
  const take = async (turns: number) => {
    const before = process.cpuUsage();
    for (let turn = 0; turn < turns; turn++) {
      const { statusCode, body: reply = '' } = await call(event, lambdaContext);
      if (statusCode !== 200 || !reply.includes('"valid":true')) throw new Error(`a validation was refused: ${reply}`);
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / turns;
  };
  await take(warm);
  return take;
}

async function measureOn(endpoint: string, workDir: string): Promise<Measurement> {
  const clients = ['plain', 'checked'].map(() => createDynamodbClient(endpoint, patience));
  const [first, second] = clients;
  if (!first || !second) throw new Error('two clients are needed');
  try {
    const plainProject = await loadedTable(first, 'plain', shop('proj_plain', {}), workDir, { withStream: false });
    const file = shop('proj_checked', { metadata_schemas: schemas });
    const checkedProject = await loadedTable(second, 'checked', file, workDir, { withStream: false });
    const counts = [first, second].map(rememberReads);
    const plain = await openSide(first, 'plain', plainProject);
    const checked = await openSide(second, 'checked', checkedProject);
    const before = counts.map((count) => count());
    const times: { plain: number; checked: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      // The first side of a round pays for the garbage of the other.
      const isFirst = round % 2 === 0;
      const early = isFirst ? await plain(perRound) : undefined;
      const own = await checked(perRound);
      times.push({ plain: early ?? (await plain(perRound)), checked: own });
    }
    const [calls = 0, callsWithSchemas = 0] = counts.map(
      (count, index) => (count() - (before[index] ?? 0)) / rounds / perRound,
    );
    const added = median(times.map((time) => time.checked - time.plain));
    return {
      name: `a validation of ${redeemables} on ${linesOfCart} lines with a rule each, ${keys} definitions a schema`,
      values: {
        'CPU ms': added.toFixed(4),
        'whole ms': median(times.map((time) => time.checked)).toFixed(2),
        calls: `${calls} ${callsWithSchemas}`,
      },
      broken: [
        ...(added > maxMilliseconds ? [`schemas may add ${maxMilliseconds} ms`] : []),
        ...(calls === callsWithSchemas ? [] : ['schemas may add no call']),
      ],
    };
  } finally {
    for (const client of clients) client.destroy();
  }
}

/** Returns the processor time and the calls that schemas add to a validation. */
export async function measureCheckedCarts({ workDir }: Places): Promise<Measurement> {
  const outcome = await onEngine('dynoxide', ({ endpoint }) => measureOn(endpoint, workDir));
  if (outcome instanceof EngineError) return { name: 'dynoxide', values: { note: outcome.message }, broken: [] };
  return outcome;
}
