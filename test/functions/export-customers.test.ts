import { beforeAll, expect, test } from 'vitest';
import { handler as publishHandler } from '../../functions/publications/create-publication.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { exportedLines } from '../support/exports.ts';
import { loadProject, type TestProject } from '../support/project.ts';

/** Exports customers by the publications that they got. */

const coupon = (code: string, more: object = {}) => ({
  code,
  type: 'DISCOUNT_VOUCHER',
  discount: { type: 'PERCENT', percent_off: 5 },
  ...more,
});

let project: TestProject;
const vouchers = new Map<string, string>();

beforeAll(async () => {
  project = await loadProject({
    // Ids are not mixed up if one begins like another.
    customers: ['cust_a', 'cust_ab', 'cust_b', 'cust_c'].map((id) => ({ id, source_id: `crm-${id}` })),
    vouchers: ['ONE', 'TWO', 'THREE'].map((code) => coupon(code)),
  });
  const clock = standingClock();
  const publish = caller(publishHandler, testDependencies({ clock }));
  for (const [day, voucher, id, status] of [
    ['2026-01-10', 'ONE', 'cust_a', 200],
    ['2026-03-10', 'TWO', 'cust_a', 200],
    ['2026-02-10', 'THREE', 'cust_ab', 200],
    ['2026-02-20', 'THREE', 'cust_b', 400],
  ] as const) {
    clock.set(`${day}T12:00:00Z`);
    const reply = await publish({ headers: project.credentials, body: { voucher, customer: { id } } });
    expect([voucher, id, reply.status]).toEqual([voucher, id, status]);
    if (status === 200) vouchers.set(voucher, reply.body.voucher.id);
  }
});

const at = 'publications.created_at';
const of = 'publications.related_object_id';
const idOf = (code: string) => vouchers.get(code);

test.each<[what: string, filters: () => Record<string, object>, expected: string[]]>([
  ['something in a period', () => ({ [at]: { $after: '2026-02-01T00:00:00Z' } }), ['cust_a', 'cust_ab']],
  [
    'something in a period, by one and the same publication',
    () => ({ [at]: { $after: '2026-01-15T00:00:00Z', $before: '2026-03-01T00:00:00Z' } }),
    ['cust_ab'],
  ],
  ['something', () => ({ [at]: { $has_value: true } }), ['cust_a', 'cust_ab']],
  ['nothing', () => ({ [at]: { $is_unknown: true } }), ['cust_b', 'cust_c']],
  ['a voucher', () => ({ [of]: { $is: idOf('TWO') } }), ['cust_a']],
  ['any of some', () => ({ [of]: { $in: [idOf('ONE'), idOf('THREE')] } }), ['cust_a', 'cust_ab']],
  ['other vouchers, or none', () => ({ [of]: { $is_not: idOf('ONE') } }), ['cust_ab', 'cust_b', 'cust_c']],
  ['a voucher, and with a name', () => ({ [of]: { $is: idOf('ONE') }, source_id: { $is: 'crm-cust_b' } }), []],
])('an export has customers who got %s', async (_, filters, expected) => {
  const sent = Object.entries(filters()).map(([name, conditions]) => [name, { conditions }]);
  const parameters = { fields: ['id'], filters: { junction: 'and', ...Object.fromEntries(sent) } };
  const [, ...lines] = await exportedLines(project, { exported_object: 'customer', parameters });
  expect(lines.toSorted()).toEqual(expected);
});
