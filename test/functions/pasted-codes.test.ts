import { describe, expect, test } from 'vitest';
import { listCodeIds, voucherId } from '#engine/ledger/codes/voucher-lists.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import { findProject } from '#kernel/access/projects/project.ts';
import type { Endpoint } from '#kernel/http/operation.ts';
import { commit, insert } from '#kernel/table/effects.ts';
import { Table } from '#kernel/table/table.ts';
import { handler as createCampaign } from '../../functions/campaigns/create-campaign.ts';
import { handler as getMember } from '../../functions/loyalties/get-member.ts';
import { handler as createPublication } from '../../functions/publications/create-publication.ts';
import { handler as redeemRedeemables } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as assignRule } from '../../functions/validation-rules/create-validation-rule-assignment.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher.ts';
import { handler as createVoucherWithCode } from '../../functions/vouchers/create-voucher-with-code.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as importVouchers } from '../../functions/vouchers/import-vouchers.ts';
import { handler as listVouchers } from '../../functions/vouchers/list-vouchers.ts';
import { caller } from '../support/call.ts';
import { testDependencies, testTime } from '../support/dependencies.ts';
import { faultsOf, loadProject, projectFile } from '../support/project.ts';

const discount = { type: 'PERCENT', percent_off: 10 };
const coupon = (code: string) => ({ code, type: 'DISCOUNT_VOUCHER', discount });

const code = 'CAF\u00c9 10-A';
/** The same code, as mails, web pages and word processors write it. */
const spellings: [what: string, text: string][] = [
  ['unchanged', code],
  ['with blanks around', `  ${code} `],
  ['with a line end and a tab', `\t${code}\r\n`],
  ['with characters without width around', `\u200b\ufeff${code}\u2060\u200d`],
  ['with a mark of direction', `\u202a${code}\u202c`],
  ['with a letter and its accent apart', code.normalize('NFD')],
  ['with a no-break blank', code.replace(' ', '\u00a0')],
  ['with a hyphen', code.replace('-', '\u2010')],
  ['with an en dash', code.replace('-', '\u2013')],
  ['with an em dash', code.replace('-', '\u2014')],
  ['with a minus', code.replace('-', '\u2212')],
];

const open = async (codes: string[] = [code]) => {
  const project = await loadProject({
    validation_rules: [{ id: 'val_1', name: 'Any', rules: {} }],
    vouchers: codes.map(coupon),
  });
  const ask = (handler: Endpoint, request: object) => caller(handler)({ headers: project.credentials, ...request });
  return { ...project, ask };
};

describe('a code is found', () => {
  test.each(spellings)('%s', async (_, text) => {
    const { ask } = await open();
    expect((await ask(getVoucher, { params: { code: text } })).body.code).toBe(code);
    const query = `code=${encodeURIComponent(text)}`;
    expect((await ask(listVouchers, { query })).body.vouchers).toMatchObject([{ code }]);
    const redeemables = [{ object: 'voucher', id: text }];
    const { body } = await ask(redeemRedeemables, { body: { redeemables, order: { amount: 1000 } } });
    expect(body.redemptions).toMatchObject([{ voucher: { code } }]);
    const params = { validationRuleId: 'val_1' };
    expect((await ask(assignRule, { params, body: { voucher: text } })).status).toBe(200);
    const published = await ask(createPublication, { body: { voucher: text, customer: { source_id: 'ada' } } });
    expect(published.body.voucher.code).toBe(code);
    expect((await ask(getMember, { params: { memberId: text } })).body.key).toBe('not_found');
  });

  test('twice in one request is refused, whatever the spelling', async () => {
    const { ask } = await open();
    const redeemables = [code, `${code} `].map((id) => ({ object: 'voucher', id }));
    const { body } = await ask(redeemRedeemables, { body: { redeemables, order: { amount: 1000 } } });
    expect(body.key).toBe('duplicated_redeemables');
  });

  test.each([
    ['another letter', 'CAFE 10-A'],
    ['no blank', 'CAF\u00c910-A'],
    ['two blanks', 'CAF\u00c9  10-A'],
    ['an underscore for the dash', 'CAF\u00c9 10_A'],
    ['a character without width inside', 'CAF\u00c9\u200b 10-A'],
    ['other case', code.toLowerCase()],
  ])('not with %s', async (_, text) => {
    const { ask } = await open();
    expect((await ask(getVoucher, { params: { code: text } })).status).toBe(404);
  });
});

describe('a new code', () => {
  test.each(spellings.slice(5))('that differs so from a stored one is refused: %s', async (_, text) => {
    const { ask } = await open();
    for (const reply of [
      await ask(createVoucher, { body: coupon(text) }),
      await ask(createVoucherWithCode, { params: { code: text }, body: coupon(text) }),
    ]) {
      expect([reply.status, reply.body.key]).toEqual([409, 'duplicate_found']);
    }
  });

  test('that differs so from another row is refused', async () => {
    const { ask } = await open([]);
    const rows = ['A-1', 'A\u20131'].map(coupon);
    expect((await ask(importVouchers, { body: rows })).body.key).toBe('duplicate_key');
  });

  test('is shown in the sent spelling, and found in plain letters', async () => {
    const { ask } = await open([]);
    await ask(createVoucher, { body: coupon('NEW\u2013YEAR') });
    expect((await ask(getVoucher, { params: { code: 'NEW-YEAR' } })).body.code).toBe('NEW\u2013YEAR');
  });

  test.each([
    ['a control character', 'A\u0007B', 'code must not have control characters'],
    ['a line end', 'AB\n', 'code must not have control characters'],
    ['a blank at its end', 'AB ', 'code must not begin or end with a blank'],
    ['a blank at its beginning', ' AB', 'code must not begin or end with a blank'],
    ['a character without width at its end', 'AB\u200b', 'code must not begin or end with a blank'],
    ['a point alone', '.', 'code must not be .'],
    ['two points alone', '..', 'code must not be ..'],
  ])('is refused with %s', async (_, text, words) => {
    const { ask } = await open([]);
    const { status, body } = await ask(createVoucher, { body: coupon(text) });
    expect([status, body.key]).toEqual([400, 'invalid_payload']);
    expect(body.details).toContain(words);
  });

  test.each([
    [{ prefix: ' A' }, 'a code must not begin or end with a blank'],
    [{ pattern: '##\u2003' }, 'a code must not begin or end with a blank'],
    [{ charset: 'AB \t' }, 'charset must not have blanks'],
  ])('is refused by the form of a campaign: %j', async (code_config, words) => {
    const { ask } = await open([]);
    const voucher = { type: 'DISCOUNT_VOUCHER', discount, code_config };
    const { body } = await ask(createCampaign, { body: { name: 'Form', voucher } });
    expect(body.key).toBe('invalid_code_config');
    expect(body.details).toContain(words);
  });
});

describe('a code that is stored already', () => {
  test('with blanks at its ends is taken from a project file, and found', async () => {
    const { ask } = await open([' OLD ', 'A\u2014B']);
    expect((await ask(getVoucher, { params: { code: ' OLD ' } })).body.code).toBe(' OLD ');
    expect((await ask(getVoucher, { params: { code: 'OLD' } })).body.code).toBe(' OLD ');
    expect((await ask(getVoucher, { params: { code: 'A-B' } })).body.code).toBe('A\u2014B');
  });

  test('is refused in a project file beside one that differs in a dash alone', async () => {
    const faults = await faultsOf(projectFile({ vouchers: ['A-1', 'A\u20131'].map(coupon) }));
    expect(faults).toEqual([
      'vouchers[1].code differs from vouchers[0].code in blanks, dashes or invisible characters alone',
    ]);
  });

  test('under the id of its exact text is found first, and is not made again', async () => {
    const { id, ask } = await open(['X-1']);
    const { dynamodb, tableName } = testDependencies();
    const table = new Table(dynamodb, tableName, testTime);
    const project = await findProject(table, id);
    if (!project) throw new Error('the project is missing');
    const text = 'X\u20131';
    const [exact = ''] = listCodeIds(project, text);
    expect(exact).not.toBe(voucherId(project, text));
    const item = {
      id: exact,
      code: text,
      type: 'DISCOUNT_VOUCHER' as const,
      active: true,
      created_at: testTime.toISOString(),
    };
    expect(await commit(table, [insert(vouchers(id, exact), { ...item, metadata: {}, discount })])).toBe(true);
    expect((await ask(getVoucher, { params: { code: text } })).body.id).toBe(exact);
    expect((await ask(getVoucher, { params: { code: 'X-1' } })).body.code).toBe('X-1');
    expect((await ask(createVoucher, { body: coupon(text) })).status).toBe(409);
  });
});
