import { expect, test } from 'vitest';
import { handler as listForPages } from '../../functions/client/list-client-promotion-tiers.ts';
import { handler as listForServers } from '../../functions/promotions/list-promotion-tiers.ts';
import { caller } from '../support/call.ts';
import { onPage, withPages } from '../support/pages.ts';
import { credentialsOf, loadFile, projectFile } from '../support/project.ts';

/** Makes a shop with a usable tier, and one for each reason against use. */
async function shop(more: object = {}) {
  const tier = (id: string, hierarchy: number, fields: object = {}) => ({
    ...{ id, name: id, hierarchy, campaign_id: 'camp_1', metadata: { colour: 'blue', margin: 40 } },
    ...fields,
  });
  const file = projectFile({
    campaigns: [
      { id: 'camp_1', name: 'On', campaign_type: 'PROMOTION', type: 'STATIC' },
      { id: 'camp_2', name: 'Sleeps', campaign_type: 'PROMOTION', type: 'STATIC', active: false },
    ],
    promotion_tiers: [
      tier('promo_now', 1),
      tier('promo_off', 2, { active: false }),
      tier('promo_soon', 3, { start_date: '2027-01-01T00:00:00.000Z' }),
      tier('promo_over', 4, { expiration_date: '2026-01-01T00:00:00.000Z' }),
      tier('promo_sleeps', 5, { campaign_id: 'camp_2' }),
    ],
  });
  const paged = withPages(file);
  await loadFile({ ...paged, project: { ...paged.project, ...more } });
  const ofPage = onPage(paged);
  return {
    list: (query = '') => caller(listForPages)({ headers: ofPage, query }),
    listAsServer: () => caller(listForServers)({ headers: credentialsOf(file) }),
  };
}

test('a web page sees the usable tiers, without their metadata, and no others', async () => {
  const { list, listAsServer } = await shop();
  for (const query of ['', 'is_available=true', 'order=-created_at', 'page=1&limit=1']) {
    const { status, body } = await list(query);
    expect([status, body.total, body.has_more]).toEqual([200, 1, false]);
    expect(body.tiers).toMatchObject([{ id: 'promo_now', metadata: {} }]);
    expect(JSON.stringify(body)).not.toMatch(/margin|promo_(off|soon|over|sleeps)/);
  }
  expect((await list('page=2')).body).toMatchObject({ tiers: [], total: 1 });
  const hidden = await list('is_available=false');
  expect([hidden.status, hidden.body.details]).toEqual([400, 'is_available must be true']);
  expect((await listAsServer()).body.total).toBe(5);
});

test('a web page sees the metadata keys that the project lists', async () => {
  const { list } = await shop({ client_metadata: ['colour'] });
  expect((await list()).body.tiers[0].metadata).toEqual({ colour: 'blue' });
});
