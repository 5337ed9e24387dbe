import { expect, test } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as addVouchers } from '../../functions/campaigns/add-vouchers.ts';
import { handler as createCampaign } from '../../functions/campaigns/create-campaign.ts';
import { handler as getCampaign } from '../../functions/campaigns/get-campaign.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher.ts';
import { caller } from '../support/call.ts';
import { exported } from '../support/exported.ts';
import { itemsOf, runOutbox } from '../support/outbox.ts';
import { credentialsOf, faultsOf, loadFile, projectFile } from '../support/project.ts';

const everything = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const unlike = '23456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
const alike = /[0O1lI]/;
const discount = { type: 'PERCENT', percent_off: 10 };
const voucher = { type: 'DISCOUNT_VOUCHER', discount };

const kind = { campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' };

async function shop(codes: unknown) {
  // A file may leave out the form of a campaign's codes.
  const file = projectFile({ campaigns: [{ id: 'camp_file', name: 'Of a file', ...kind, voucher }] });
  const ofFile = { ...file, project: { ...file.project, ...(codes === undefined ? {} : { codes }) } };
  await loadFile(ofFile);
  const { id } = file.project;
  const headers = credentialsOf(file);
  const post = async (handler: Endpoint, body: object, request: object = {}) => {
    const reply = await caller(handler)({ headers, body, ...request });
    expect([reply.body.details, reply.status]).toEqual([undefined, request && 'query' in request ? 202 : 200]);
    return reply.body;
  };
  const drawn = async () => {
    await runOutbox(id);
    return (await itemsOf(id, 'VOUCHER')).map(({ code }) => String(code));
  };
  const formOf = async (campaignId: string) =>
    (await caller(getCampaign)({ headers, params: { campaignId } })).body.voucher.code_config;
  return { id, file: ofFile, post, drawn, formOf };
}

/** Draws codes in every way, and returns them. */
async function everyWay(of: Awaited<ReturnType<typeof shop>>) {
  const { post, drawn } = of;
  const length = 40;
  const made = await post(createCampaign, {
    ...{ name: 'Drawn', ...kind, vouchers_count: 30 },
    voucher: { ...voucher, code_config: { length } },
  });
  await drawn();
  for (const campaignId of [made.id, 'camp_file']) {
    const params = { campaignId };
    await post(addVouchers, {}, { params });
    await post(addVouchers, { code_config: { length } }, { params });
    await post(addVouchers, {}, { params, query: 'vouchers_count=30' });
    await drawn();
    await post(addVouchers, { code_config: { length } }, { params, query: 'vouchers_count=10' });
    await drawn();
  }
  await post(createVoucher, voucher);
  await post(createVoucher, { ...voucher, code_config: { length } });
  await post(createCampaign, { ...{ name: 'One', ...kind, type: 'STANDALONE', vouchers_count: 1 }, voucher });
  return { made, codes: await drawn() };
}

const many = 30 + 2 * (1 + 1 + 30 + 10) + 2 + 1;

test('codes of a project without look-alikes have none, however they are drawn', async () => {
  const world = await shop({ avoid_look_alikes: true });
  const { made, codes } = await everyWay(world);
  expect(codes).toHaveLength(many);
  expect(codes.filter((code) => alike.test(code))).toEqual([]);
  const form = { length: 40, charset: unlike, pattern: '#'.repeat(40) };
  expect([made.voucher.code_config, await world.formOf(made.id)]).toEqual([form, form]);
  expect(await world.formOf('camp_file')).toEqual({ length: 8, charset: unlike, pattern: '########' });
});

test('codes of another project may have any character', async () => {
  const world = await shop(undefined);
  const { made, codes } = await everyWay(world);
  expect(codes).toHaveLength(many);
  expect(codes.some((code) => alike.test(code))).toBe(true);
  expect(made.voucher.code_config.charset).toBe(everything);
});

test('a charset in a request is used unchanged', async () => {
  const { post, drawn } = await shop({ avoid_look_alikes: true });
  const code_config = { charset: '0O1lI', length: 20 };
  await post(createVoucher, { ...voucher, code_config });
  const made = await post(createCampaign, { name: 'Alike', ...kind, voucher: { ...voucher, code_config } });
  expect(made.voucher.code_config.charset).toBe('0O1lI');
  await drawn();
  await post(addVouchers, {}, { params: { campaignId: made.id } });
  const codes = await drawn();
  expect(codes).toHaveLength(2);
  for (const code of codes) expect(code).toMatch(/^[0O1lI]{20}$/);
});

test('a file has the setting at each load, and an export has it too', async () => {
  const { id, file, formOf } = await shop({ avoid_look_alikes: true });
  expect((await exported(id)).project).toMatchObject({ codes: { avoid_look_alikes: true } });
  await loadFile({ ...file, project: { id, name: file.project.name } });
  expect((await exported(id)).project).not.toHaveProperty('codes');
  expect((await formOf('camp_file')).charset).toBe(everything);
});

test.each<[unknown, string]>([
  [true, 'project.codes must be an object'],
  [{ avoid_look_alikes: 'yes' }, 'project.codes.avoid_look_alikes must be'],
  [{ avoid_lookalikes: true }, 'avoid_lookalikes'],
])('%j is refused', async (codes, fault) => {
  const file = projectFile();
  const faults = await faultsOf({ ...file, project: { ...file.project, codes } });
  expect(faults).toEqual([expect.stringContaining(fault)]);
});
