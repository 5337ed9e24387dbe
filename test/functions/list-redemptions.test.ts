import { beforeAll, describe, expect, test } from 'vitest';
import { handler } from '../../functions/redemptions/list-redemptions.ts';
import { handler as ofVoucherHandler } from '../../functions/vouchers/get-voucher-redemptions.ts';
import { handler as listOfVoucherHandler } from '../../functions/vouchers/list-voucher-redemptions.ts';
import { caller } from '../support/call.ts';
import { loadProject, type TestProject } from '../support/project.ts';
import { at, idsOf, lists, newestFirst, openRedemptions } from '../support/redemption-history.ts';
import { insertRedemptions, redemptionOf } from '../support/redemptions.ts';

describe('redemptions', () => {
  let project: TestProject;
  beforeAll(async () => {
    ({ project } = await openRedemptions());
  });
  const list = (query = '') => caller(handler)({ headers: project.credentials, query });

  test('are listed newest first, with rollbacks and failures', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: 'list', data_ref: 'redemptions', total: 6, has_more: false });
    expect(idsOf(body.redemptions)).toEqual(newestFirst);
  });

  test.each([
    ['order=created_at', ['r_1', 'rr_1', 'rf_1', 'r_0', 'r_2', 'r_3']],
    ['order=id', ['r_0', 'r_1', 'r_2', 'r_3', 'rf_1', 'rr_1']],
    ['order=-customer_id', ['rf_1', 'r_3', 'r_2', 'r_0', 'rr_1', 'r_1']],
    ['order=voucher_code&customer=ada', ['r_0', 'r_3', 'r_2', 'r_1', 'rr_1']],
    ['order=tracking_id&result=FAILURE', ['rf_1']],
    ['result=SUCCESS&result=FAILURE&campaign=Few', ['rf_1', 'rr_1', 'r_1']],
    ['campaign=camp_few&customer=cust_ada', ['rr_1', 'r_1']],
    ['campaign=Nothing', []],
    ['customer=nobody', []],
    [`created_at[after]=${at(1).date}&created_at[before]=${at(4).date}`, ['rf_1', 'rr_1']],
    [`created_at[after]=${at(1).date}&campaign=Few&order=created_at`, ['rr_1', 'rf_1']],
    [`created_at[before]=${at(4).date}&customer=ada`, ['rr_1', 'r_1']],
    [`created_at[before]=${at(4).date}&order=customer_id`, ['r_1', 'rr_1', 'rf_1']],
    ['filters[voucher_code][conditions][$starts_with]=CA', ['r_2']],
    ['filters[parent_redemption_id][conditions][$is]=r_0', ['r_3', 'r_2']],
    ['filters[related_object_id][conditions][$is]=promo_one', ['r_3']],
    ['filters[related_object_parent_id][conditions][$has_value]=1', ['r_3', 'rf_1', 'rr_1', 'r_1']],
    ['filters[campaign_name][conditions][$is]=Few&filters[object][conditions][$is]=redemption', ['rf_1', 'r_1']],
    [
      'filters[junction]=or&filters[failure_code][conditions][$is]=voucher_expired&filters[result][conditions][$is]=FAILURE',
      ['rf_1'],
    ],
    ['filters[customer_id][conditions][$is_not]=cust_ada', ['rf_1']],
    ['filters[user_login][conditions][$has_value]=1', []],
  ])('are filtered by %s', async (query, expected) => {
    const { body } = await list(query);
    expect(idsOf(body.redemptions ?? [])).toEqual(expected);
    expect(body.total).toBe(expected.length);
  });

  test.each(['result=MAYBE', 'created_at[after]=soon', 'filters[points][conditions][$is]=1'])(
    'a query of %s is refused',
    async (query) => {
      expect((await list(query)).body).toMatchObject({ code: 400, key: 'invalid_query_params' });
    },
  );

  test("of a voucher have the voucher's figures", async () => {
    const headers = project.credentials;
    const of = caller(ofVoucherHandler);
    const { body } = await of({ headers, params: { code: 'ONE' }, query: 'limit=2' });
    expect(body).toMatchObject({
      quantity: 5,
      redeemed_quantity: 2,
      object: 'list',
      url: '/v1/vouchers/ONE/redemptions?page=1&limit=10',
      data_ref: 'redemption_entries',
      total: 3,
      has_more: true,
    });
    expect(idsOf(body.redemption_entries)).toEqual(['rf_1', 'rr_1']);
    expect(body).not.toHaveProperty('redeemed_amount');
    const { body: gift } = await of({ headers, params: { code: 'CARD' } });
    expect(gift).toMatchObject({ quantity: null, redeemed_amount: 200, total: 1 });
    expect((await of({ headers, params: { code: 'NONE' } })).body).toMatchObject({
      code: 404,
      resource_type: 'voucher',
    });
    const listed = await caller(listOfVoucherHandler)({ headers, params: { code: 'ONE' } });
    expect(idsOf(listed.body.redemptions)).toEqual(['rf_1', 'rr_1', 'r_1']);
    expect((await caller(listOfVoucherHandler)({ headers, params: { code: 'NONE' } })).status).toBe(404);
  });
});

test('of a customer are all counted, in any number', async () => {
  const { id, credentials: headers } = await loadProject(lists);
  const ofTier = {
    customer_id: 'cust_ada',
    related_object_id: 'promo_one',
    related_object_type: 'promotion_tier' as const,
  };
  const all = Array.from({ length: 120 }, (_, index) => redemptionOf(`r_${String(index).padStart(3, '0')}`, ofTier));
  await insertRedemptions(id, all.slice(0, 60));
  await insertRedemptions(id, all.slice(60));
  const { body } = await caller(handler)({ headers, query: 'customer=ada&limit=100&page=2' });
  expect(body).toMatchObject({ total: 120, has_more: false });
  expect(body.redemptions).toHaveLength(20);
});
