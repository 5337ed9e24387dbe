import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { compileRule } from '#engine/rules/compile.ts';
import type { RuleContext, RuleLine } from '#engine/rules/context.ts';
import { type Benchmark, type Measurement, median, sizeOf } from '../benchmark.ts';

/** The time that a cart may wait for its rules, and the memory that a container may use for them. */
const maxMilliseconds = 0.1;
const maxMegabytes = 64;

const rules = 10;
const conditions = 3;
const linesOfCart = 30;
const compiledAtOnce = sizeOf({ trial: 100, usual: 10_000 });

const turns = sizeOf({ trial: 10, usual: 2_000 });
const rounds = sizeOf({ trial: 1, usual: 9 });

/** Three conditions. Each looks at every line, and none fails before all are checked. */
function documentOf(index: number) {
  return {
    rules: {
      '1': {
        name: 'order.items.any',
        conditions: { $in: [`prod_${index}`, `prod_${(index % linesOfCart) + 1}`, 'pc_1'] },
        rules: { '1': { name: 'order.items.aggregated_quantity', conditions: { $more_than_or_equal: [1] } } },
      },
      '2': { name: 'product.metadata', property: 'colour', conditions: { $is: [`shade ${index % linesOfCart}`] } },
      '3': { name: 'order.items.price_each', conditions: { $less_than: [1_000_000 + index] } },
      logic: '1 and 2 and 3',
    },
    error: { message: `Rule ${index}` },
  };
}

function cart(): RuleContext {
  const items = Array.from(
    { length: linesOfCart },
    (_, index): RuleLine => ({
      product_id: `prod_${linesOfCart - index}`,
      quantity: 1 + (index % 3),
      price: 100 + index,
      amount: (100 + index) * (1 + (index % 3)),
      metadata: { gift: false },
      product: { source_id: `own ${index}`, metadata: { colour: `shade ${linesOfCart - 1 - index}` } },
      collections: ['pc_a11pr0dUc75'],
    }),
  );
  return { now: new Date(), customer: { id: 'cust_1', metadata: {} }, order: { amount: 5_000, items } };
}

function evaluation(): Measurement {
  const all = Array.from({ length: rules }, (_, index) => compileRule(documentOf(index)));
  const context = cart();
  const times: number[] = [];
  let met = 0;
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    for (let turn = 0; turn < turns; turn++) for (const { judge } of all) if (judge(context).met) met += 1;
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000 / turns);
  }
  const each = median(times);
  const broken = each > maxMilliseconds ? [`it may take ${maxMilliseconds} ms`] : [];
  if (met !== rounds * turns * rules) broken.push('a rule was not met, so that some conditions were not checked');
  return {
    name: `${rules} rules of ${conditions} conditions, ${linesOfCart} lines`,
    values: { 'CPU ms': each.toFixed(4), 'heap MB': '' },
    broken,
  };
}

function memory(): Measurement {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('the heap cannot be measured where garbage cannot be collected');
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  const all = Array.from({ length: compiledAtOnce }, (_, index) => compileRule(documentOf(index)));
  const megabytes = (heap() - before) / 1024 / 1024;
  return {
    name: `${all.length.toLocaleString('en')} compiled rules, with their documents`,
    values: { 'CPU ms': '', 'heap MB': megabytes.toFixed(1) },
    broken: megabytes > maxMegabytes ? [`they may take ${maxMegabytes} MB`] : [],
  };
}

export const benchmark: Benchmark = {
  title: `Validation rules in one process (medians of ${rounds} rounds of ${turns.toLocaleString('en')} carts)`,
  measure: async (_, tell) => {
    const rows: Measurement[] = [];
    for (const measured of [evaluation, memory]) {
      const row = measured();
      tell(row);
      rows.push(row);
    }
    return rows;
  },
};
