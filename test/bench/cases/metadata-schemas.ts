import { checkLineMetadata } from '#engine/checkout/orders/next-order.ts';
import { toProject } from '#kernel/access/projects/project.ts';
import { type CompiledSchema, checkBySchema, compileSchemas } from '#kernel/core/metadata/check.ts';
import type { Definition } from '#kernel/core/metadata/definition.ts';
import { type Benchmark, type Measurement, median, sizeOf } from '../benchmark.ts';
import { measureCheckedCarts } from '../checked-carts.ts';

/** The time that schemas may add to a validation of five on 30 lines. */
const maxMilliseconds = 0.2;

const linesOfCart = 30;
const keys = 12;
const turns = sizeOf({ trial: 10, usual: 2_000 });
const rounds = sizeOf({ trial: 1, usual: 9 });

const created_at = '2026-01-01T00:00:00.000Z';

const kinds: readonly (readonly [Definition, unknown])[] = [
  [{ type: 'string', required: true, max_length: 40, eq: ['light', 'medium', 'dark'] }, 'medium'],
  [{ type: 'number', gte: 0, lt: 1_000 }, 30],
  [{ type: 'datetime', gt: '2020-01-01T00:00:00Z' }, '2026-01-01T01:00:00Z'],
  [{ type: 'string', array: true, max_length: 20 }, ['new', 'sale']],
];

const numbered = Array.from({ length: keys }, (_, index) => [`key${index}`, kinds[index % kinds.length]] as const);
const properties = Object.fromEntries(numbered.flatMap(([key, kind]) => (kind ? [[key, kind[0]] as const] : [])));
const metadata = Object.fromEntries(numbered.map(([key, kind]) => [key, kind?.[1]]));

const lines = Array.from({ length: linesOfCart }, (_, index) => ({
  object: 'order_item' as const,
  quantity: 1,
  product_id: `prod_${index}`,
  product: { metadata },
  metadata,
}));

const names = ['order', 'order_item', 'product', 'customer', 'redemption'];

function checks(): Measurement {
  const schemas = Object.fromEntries(names.map((name) => [name, { properties, created_at }]));
  const project = toProject({ id: 'proj', name: 'Shop', features: {}, secret: 'secret', created_at }, schemas);
  const others = [project.schemas('order'), project.schemas('customer'), project.schemas('redemption')];
  const check = (schema: CompiledSchema | undefined) => checkBySchema(schema, metadata, { place: 'metadata' });
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    for (let turn = 0; turn < turns; turn++) {
      checkLineMetadata({ project }, lines, { place: 'order.items', before: undefined, isStored: true });
      for (const schema of others) check(schema);
    }
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000 / turns);
  }
  const each = median(times);
  const isChecked =
    compileSchemas(schemas)('order')?.faultsOf({}, { place: 'metadata' }).length === keys / kinds.length;
  return {
    name: `${keys} definitions each for an order, its customer, its redemption, ${linesOfCart} lines and their products`,
    values: { 'CPU ms': each.toFixed(4) },
    broken: [
      ...(each > maxMilliseconds ? [`it may take ${maxMilliseconds} ms`] : []),
      ...(isChecked ? [] : ['the required keys were not checked']),
    ],
  };
}

export const benchmark: Benchmark = {
  title: `Metadata schemas in one process (medians of ${rounds} rounds of ${turns.toLocaleString('en')} carts)`,
  measure: async (places, tell) => {
    const alone = checks();
    tell(alone);
    const whole = await measureCheckedCarts(places);
    tell(whole);
    return [alone, whole];
  },
};
