import * as v from 'valibot';
import { beforeAll, describe, expect, test } from 'vitest';
import { isRecord } from '#kernel/core/is-record.ts';
import { operations } from '../../infra/operations.ts';
import { caller } from '../support/call.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';
import { requestsTo } from '../support/one-of-each.ts';
import { loadFile } from '../support/project.ts';

/** Checks every operation for web pages, including future operations. */

const ofPages = operations.filter(({ route }) => route.authentication === 'client');
const noted = { note: 'for operators alone' };
const withMetadata = ['campaigns', 'vouchers', 'promotion_tiers', 'products', 'skus', 'customers', 'rewards'];

/** The demo with metadata on everything, which no web page may see. */
async function notedDemo() {
  const project = await loadDemo();
  const lists = Object.entries(project.file).map(([name, list]) => {
    if (!withMetadata.includes(name)) return [name, list];
    return [name, v.parse(v.array(v.looseObject({})), list).map((one) => ({ ...one, metadata: noted }))];
  });
  await loadFile(Object.fromEntries(lists));
  return project;
}

describe('a web page', () => {
  let requestTo: Awaited<ReturnType<typeof requestsTo>>;

  beforeAll(async () => {
    requestTo = await requestsTo(await notedDemo(), testDependencies());
  });

  test.each(ofPages.map((one) => [one.name, one] as const))(
    'sees no metadata of the shop in the reply to %s',
    async (_, one) => {
      const asked = requestTo(one);
      const isOpen = isRecord(asked.body) && ('redeemables' in asked.body || 'options' in asked.body);
      const body = isOpen ? { ...Object(asked.body), options: { expand: ['redeemable'] } } : asked.body;
      const reply = await caller(one.handler)({ ...asked, body });
      expect([reply.status, reply.body.details]).toEqual([one.route.reply.status, undefined]);
      expect(JSON.stringify(reply.body)).not.toContain(noted.note);
    },
  );

  test('has each tried code counted, by every operation that takes several', () => {
    const several = ofPages.filter(({ route }) => JSON.stringify(route.example.body ?? {}).includes('"redeemables"'));
    expect(several.length).toBeGreaterThan(1);
    for (const { name, route } of several) expect([name, typeof route.weight]).toEqual([name, 'function']);
  });
});
