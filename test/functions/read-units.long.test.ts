import { expect, test } from 'vitest';
import { promotionTiers } from '#engine/campaigns/promotions/promotion-tier.ts';
import type { Endpoint } from '#kernel/http/operation.ts';
import { Table } from '#kernel/table/table.ts';
import { Update } from '#kernel/table/update.ts';
import { handler as updateCampaign } from '../../functions/campaigns/update-campaign.ts';
import { handler as sendEvent } from '../../functions/events/send-event.ts';
import { handler as transferPoints } from '../../functions/loyalties/transfer-points.ts';
import { handler as listTiers } from '../../functions/promotions/list-promotion-tiers.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import type { Request } from '../support/api-event.ts';
import { caller } from '../support/call.ts';
import { clientWith } from '../support/client.ts';
import { testDependencies, testTime } from '../support/dependencies.ts';
import { couponCampaign } from '../support/lists.ts';
import { programme } from '../support/loyalty.ts';
import { loadFile, loadProject } from '../support/project.ts';

const categories = Array.from({ length: 1_000 }, (_, index) => ({
  id: `cat_${index}`,
  name: `Category ${index} ${'x'.repeat(80)}`,
}));
/** Makes metadata of nearly the largest size, 50 KB as JSON. */
const metadata = { text: 'x'.repeat(49_000) };

const project = await loadProject({
  categories,
  campaigns: [
    couponCampaign('camp_spring', 'Spring', { type: 'PERCENT', percent_off: 10 }, { category_id: 'cat_500', metadata }),
    programme('camp_club', { name: 'Club', type: 'AUTO_UPDATE', category_id: 'cat_1', metadata }),
  ],
  vouchers: [
    { code: 'SPRING-1', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_spring' },
    { code: 'SPRING-2', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_spring', category_id: 'cat_7' },
    { code: 'CLUB-1', type: 'LOYALTY_CARD', campaign_id: 'camp_club', loyalty_card: { points: 100 } },
    { code: 'CLUB-2', type: 'LOYALTY_CARD', campaign_id: 'camp_club', loyalty_card: { points: 100 } },
  ],
  customers: [{ source_id: 'ana' }],
  event_schema: [{ name: 'visit', metadata: {} }],
});

test('a table without capacity answers 429 when patience ends, though it refuses no call but leaves all keys undone', async () => {
  const { dynamodb, ...others } = testDependencies({ patienceInMs: 400 });
  const client = clientWith(dynamodb, (command, real) =>
    command.constructor.name === 'BatchGetCommand'
      ? Promise.resolve({ UnprocessedKeys: command.input.RequestItems })
      : real(),
  );
  const call = caller(getVoucher, { ...others, dynamodb: client });
  const { status, headers } = await call({ params: { code: 'SPRING-2' }, headers: project.credentials });
  expect([status, headers['Retry-After']]).toEqual([429, expect.stringMatching(/^[1-3]$/)]);
});

test('a page of long tiers is refused if together they exceed a reply', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `promo_${index}`);
  const { id, credentials } = await loadProject({
    campaigns: [{ id: 'camp_1', name: 'One', campaign_type: 'PROMOTION', type: 'STATIC' }],
    promotion_tiers: ids.map((id, hierarchy) => ({ id, name: id, campaign_id: 'camp_1', hierarchy })),
  });
  const { dynamodb, tableName } = testDependencies();
  const change = new Update().set(['banner'], 'x'.repeat(380_000)).build();
  for (const tier of ids) {
    await new Table(dynamodb, tableName, testTime).change(promotionTiers(id, tier), change);
  }
  const dependencies = testDependencies();
  const call = caller(listTiers, dependencies);
  const { status, body } = await call({ headers: credentials, query: 'limit=40' });
  expect([status, body.key]).toEqual([400, 'invalid_query_params']);
  expect(JSON.parse(dependencies.lines.at(-1) ?? '').read_units).toBeLessThan(1_800);
  expect((await call({ headers: credentials, query: 'limit=10' })).status).toBe(200);
});

test('an event costs the same with a schema of 300 KB as with a short one', async () => {
  const events = Array.from({ length: 1_000 }, (_, index) => ({ name: `${index} ${'x'.repeat(250)}`, metadata: {} }));
  const unitsWith = async (others: typeof events) => {
    const { credentials } = await loadProject({
      event_schema: [{ name: 'visit', metadata: {} }, ...others],
      customers: [{ source_id: 'ana' }],
    });
    const send = metered(sendEvent);
    const visit = { headers: credentials, body: { event: 'visit', customer: { source_id: 'ana' } } };
    await send(visit);
    return (await send(visit)).units;
  };
  expect(await unitsWith(events)).toBe(await unitsWith([]));
});

/** Makes one container of the endpoint. Returns replies with their cost. */
function metered(handler: Endpoint) {
  const dependencies = testDependencies();
  const call = caller(handler, dependencies);
  return async (request: Request) => {
    const reply = await call({ headers: project.credentials, ...request });
    expect(reply.status).toBe(200);
    return { ...reply, units: JSON.parse(dependencies.lines.at(-1) ?? '').read_units };
  };
}

test('a voucher costs at most 4 read units with 1,000 categories and 50 KB of campaign metadata', async () => {
  const get = metered(getVoucher);
  const { body } = await get({ params: { code: 'SPRING-1' } });
  for (const code of ['SPRING-1', 'SPRING-2', body.id]) {
    expect((await get({ params: { code } })).units).toBeLessThanOrEqual(4);
  }
  expect(body).toMatchObject({ category_id: 'cat_500', categories: [{ id: 'cat_500' }] });
});

test('a change to the campaign or its category shows in the next read of a container that knew both', async () => {
  const get = metered(getVoucher);
  const read = async () => {
    const { body } = await get({ params: { code: 'SPRING-1' } });
    return [body.discount.percent_off, body.category];
  };
  expect(await read()).toEqual([10, categories[500]?.name]);
  await metered(updateCampaign)({
    params: { campaignId: 'Spring' },
    body: { discount: { type: 'PERCENT', percent_off: 20 }, category_id: 'cat_8' },
  });
  expect(await read()).toEqual([20, categories[8]?.name]);
  await loadFile({ project: project.file.project, categories: [{ id: 'cat_8', name: 'Renamed' }] });
  expect(await read()).toEqual([20, 'Renamed']);
});

test('an event on a card and a transfer cost as if the campaign had no metadata', async () => {
  const send = metered(sendEvent);
  const event = { body: { event: 'visit', customer: { source_id: 'ana' }, loyalty: { code: 'CLUB-1' } } };
  // A container caches data while its version, which it has seen before, is current.
  for (const _ of ['knows the version', 'keeps what it reads']) await send(event);
  expect((await send(event)).units).toBeLessThanOrEqual(8);

  const transfer = metered(transferPoints);
  const move = (source_id: string) => ({
    params: { campaignId: 'camp_club', memberId: 'CLUB-1' },
    body: [{ code: 'CLUB-2', points: 1, source_id }],
  });
  await transfer(move('one'));
  expect((await transfer(move('two'))).units).toBeLessThanOrEqual(8);
});
