import { expect, test } from 'vitest';
import { exportedLines } from '../support/exports.ts';
import { loadProject } from '../support/project.ts';
import { insertRedemptions, redemptionOf } from '../support/redemptions.ts';

const at = (minute: number) => ({ date: `2026-06-15T10:0${minute}:00.000Z` });

async function redeemed() {
  const project = await loadProject({ customers: [{ id: 'cust_ada', source_id: 'ada', name: 'Ada' }] });
  const ada = { customer_id: 'cust_ada', tracking_id: 'track_ada' };
  await insertRedemptions(project.id, [
    redemptionOf('r_1', {
      ...at(1),
      ...ada,
      voucher_code: 'GIFT',
      gift_credits: 1250,
      campaign: 'Gifts',
      metadata: { till: 4 },
      order: { object: 'order', id: 'ord_1', items: [], metadata: {}, amount: 9905 },
    }),
    redemptionOf('rf_1', {
      ...at(2),
      customer_id: 'cust_gone',
      result: 'FAILURE',
      status: 'FAILED',
      failure_code: 'voucher_expired',
      failure_message: 'Voucher expired',
    }),
    redemptionOf('r_2', {
      ...at(3),
      points: 40,
      related_object_type: 'promotion_tier',
      related_object_id: 'promo_1',
      status: 'ROLLED_BACK',
    }),
  ]);
  return project;
}

test('redemptions are exported with their customer and amounts', async () => {
  const project = await redeemed();
  expect(await exportedLines(project, { exported_object: 'redemption' })).toEqual([
    'ID,Object,Voucher Code,Customer ID,Date,Result',
    `r_1,redemption,GIFT,cust_ada,${at(1).date},SUCCESS`,
    `rf_1,redemption,,cust_gone,${at(2).date},FAILURE`,
    `r_2,redemption,,,${at(3).date},SUCCESS`,
  ]);
  const fields = [
    ...[
      'campaign',
      'promotion_tier_id',
      'customer_source_id',
      'customer_name',
      'tracking_id',
      'order_id',
      'order_amount',
    ],
    ...['gift_amount', 'loyalty_points', 'failure_code', 'failure_message', 'metadata.till'],
  ];
  const lines = await exportedLines(project, {
    exported_object: 'redemption',
    parameters: { fields, order: '-created_at' },
  });
  expect(lines.slice(1)).toEqual([
    ',promo_1,,,,,,,40,,,',
    ',,,,,,,,,voucher_expired,Voucher expired,',
    'Gifts,,ada,Ada,track_ada,ord_1,99.05,12.50,,,,4',
  ]);
});

test.each([
  [{ filters: { status: { conditions: { $is: ['ROLLED_BACK'] } } } }, ['r_2']],
  [{ filters: { created_at: { conditions: { $after: [at(1).date] } } }, order: '-id' }, ['rf_1', 'r_2']],
  [{ filters: { voucher: { conditions: { $is: ['GIFT'] } } } }, ['r_1']],
  [{ filters: { related_object: { conditions: { $is: ['promotion_tier'] } } } }, ['r_2']],
  [
    { filters: { customer: { conditions: { $is: ['cust_ada'] } }, campaign: { conditions: { $is: ['Gifts'] } } } },
    ['r_1'],
  ],
])('redemptions are exported by %j', async (parameters, ids) => {
  const project = await redeemed();
  const lines = await exportedLines(project, {
    exported_object: 'redemption',
    parameters: { ...parameters, fields: ['id'] },
  });
  expect(lines.slice(1)).toEqual(ids);
});
