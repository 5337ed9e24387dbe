import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { handler } from '../../functions/client/list-vouchers-for-page.ts';
import { handler as redeem } from '../../functions/client/redeem-voucher-from-page.ts';
import { caller } from '../support/call.ts';
import { campaignEntry, giftVoucher } from '../support/lists.ts';
import { credentialsOf, loadFile, projectFile } from '../support/project.ts';
import { bearer, issueToken } from '../support/tokens.ts';

const discount = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } };
const held = { ...discount, holder_id: 'cust_ada' };

async function shopWith(client: Record<string, boolean> = { wallet: true }, more: readonly object[] = []) {
  const file = projectFile({
    campaigns: [
      { id: 'camp_on', name: 'On', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', voucher: discount },
      campaignEntry('camp_off', 'Off', 'DISCOUNT_COUPONS', { active: false, voucher: discount }),
      { id: 'camp_mate', name: 'Mate', campaign_type: 'REFERRAL_PROGRAM', type: 'STATIC', voucher: discount },
    ],
    customers: [
      { id: 'cust_ada', source_id: 'ada', name: 'Ada secret' },
      { id: 'cust_bob', source_id: 'bob' },
    ],
    vouchers: [
      {
        code: 'TEN',
        ...held,
        metadata: { note: 'secret' },
        additional_info: 'secret',
        created_at: '2026-01-01T00:00:00Z',
      },
      giftVoucher('TIN', { amount: 500, balance: 200 }, { holder_id: 'cust_ada', created_at: '2026-01-02T00:00:00Z' }),
      { code: 'EMPTY', type: 'GIFT_VOUCHER', holder_id: 'cust_ada', gift: { amount: 500, balance: 0 } },
      { code: 'USED', ...held, redemption: { quantity: 1, redeemed_quantity: 1 } },
      { code: 'ASLEEP', ...held, active: false },
      { code: 'OVER', ...held, expiration_date: '2020-01-01T00:00:00Z' },
      { code: 'EARLY', ...held, start_date: '2099-01-01T00:00:00Z' },
      { code: 'CLOSED', ...held, campaign_id: 'camp_off' },
      { code: 'OF-BOB', ...discount, holder_id: 'cust_bob' },
      { code: 'FREE', ...discount, campaign_id: 'camp_on' },
      ...more,
    ],
  });
  await loadFile({ ...file, project: { ...file.project, client } });
  const headers = bearer(await issueToken(credentialsOf(file), 'client_api'));
  const list = (query: string) => caller(handler)({ headers, query });
  const spend = (code: string, amount: number) =>
    caller(redeem)({ headers, query: `code=${code}`, body: { order: { amount } } });
  return Object.assign(list, { spend });
}

const codesOf = ({ vouchers }: { vouchers: { code: string }[] }) => vouchers.map(({ code }) => code);

describe("a web page lists a customer's vouchers", () => {
  test('only if the project allows it', async () => {
    const { body } = await (await shopWith({}))('customer=ada');
    expect(body).toMatchObject({ code: 403, key: 'client_side_disabled' });
    expect(body.details).toContain('client.wallet');
  });

  test('and spends their cards if both switches are on, as the table of switches says', async () => {
    const list = await shopWith({ wallet: true, redemption: true });
    const [card = ''] = codesOf((await list('customer=ada')).body);
    expect((await list.spend(card, 150)).body).toMatchObject({ result: 'SUCCESS', amount: 150 });
    const page = await readFile('docs/browser.md', 'utf8');
    expect(page).toMatch(/^\| `wallet` with `redemption` \| see and spend the codes and gift cards of each customer/m);
    const alone = await shopWith({ wallet: true });
    expect((await alone.spend(card, 150)).body).toMatchObject({ key: 'client_side_disabled' });
  });

  test("only usable ones, without operators' notes", async () => {
    const list = await shopWith();
    for (const customer of ['ada', 'cust_ada']) {
      const { status, body } = await list(`customer=${customer}`);
      expect([status, body.total, codesOf(body)]).toEqual([200, 2, ['TIN', 'TEN']]);
      expect(body.vouchers[0]).toMatchObject({ object: 'voucher', gift: { amount: 500, balance: 200 } });
      expect(JSON.stringify(body)).not.toMatch(/secret|holder_id|validation_rules_assignments/);
    }
  });

  test('in one campaign', async () => {
    const list = await shopWith({ wallet: true }, [{ code: 'OF-ON', ...held, campaign_id: 'camp_on' }]);
    for (const campaign of ['On', 'camp_on']) {
      const { body } = await list(`customer=ada&campaign=${campaign}`);
      expect([body.total, codesOf(body)]).toEqual([1, ['OF-ON']]);
    }
    expect((await list('customer=ada&campaign=Mate')).body.vouchers).toEqual([]);
  });

  test('page by page', async () => {
    const more = Array.from({ length: 25 }, (_, index) => ({
      code: `MORE-${String(index).padStart(2, '0')}`,
      ...held,
      ...(index % 2 ? { active: false } : {}),
      created_at: `2026-02-01T00:00:${String(index).padStart(2, '0')}Z`,
    }));
    const list = await shopWith({ wallet: true }, more);
    const pages = await Promise.all([1, 2, 3].map((page) => list(`customer=ada&limit=6&page=${page}`)));
    const codes = pages.flatMap(({ body }) => codesOf(body));
    expect([pages[0]?.body.total, codes.length, new Set(codes).size]).toEqual([15, 15, 15]);
    expect([codes[0], codes.at(-1)]).toEqual(['MORE-24', 'TEN']);
  });

  test('and an empty list for an unknown customer', async () => {
    const list = await shopWith();
    const { status, body } = await list('customer=nobody');
    expect([status, body]).toEqual([200, { object: 'list', data_ref: 'vouchers', vouchers: [], total: 0 }]);
    expect((await list('')).body).toMatchObject({ code: 400, key: 'invalid_query_params' });
  });
});
