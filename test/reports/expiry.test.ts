import { expect, test } from 'vitest';
import { findFacts } from '#addons/reports/facts/find-facts.ts';
import { buildReportQuery } from '#addons/reports/report-query.ts';
import { handler as adjust } from '../../functions/vouchers/adjust-voucher-balance.ts';
import { handler as remove } from '../../functions/vouchers/delete-voucher.ts';
import { fillStore } from '../../infra/local/facts/keep-facts.ts';
import { club } from '../support/club.ts';
import { openPacker } from './fact-bucket.ts';
import { openAthena } from './fake-athena.ts';
import { noFault, openStore, openWorld } from './world.ts';

const dayInSeconds = 86_400;

test('points count in the month in which they expire, from the stream and from the table alone', async () => {
  const world = await openWorld(club);
  const add = async (code: string, amount: number) =>
    expect((await world.call(adjust, { params: { code }, body: { amount } })).status).toBe(200);
  // The programme gives points 12 months. Loaded points never expire. It is 15 June 2026.
  await add('ADA', 100);
  await add('BOB', 30);
  world.clock.advance(10 * dayInSeconds);
  await add('ADA', 7);
  world.clock.advance(20 * dayInSeconds);
  await add('ADA', 11);
  // Points that expire first are spent first.
  await add('ADA', -40);
  await add('RICH', 500);
  expect((await world.call(remove, { params: { code: 'RICH' } })).status).toBe(204);

  const facts = findFacts(await world.changes(), noFault);
  const [{ store }, filled, packer] = [await openStore(), await openStore(), await openPacker()];
  for (const some of [facts.toReversed(), facts.filter((_, index) => index % 2 === 0)]) {
    await store.keep(some);
    await packer.deliver(some);
  }
  await fillStore(filled.store, world.dependencies, filled.path, { note: noFault, isTimeUp: () => false });
  packer.clock.set(world.clock());
  const { engine } = await openAthena(packer.bucket, { today: world.clock() });
  const days = { from: '2026-07-01', to: '2026-07-15', timezone: 'UTC' };
  const query = buildReportQuery({ report: 'expiry', projectId: world.id, ...days, limit: 10, page: 1 });
  const expected = [
    { expires_in: '2027-06', campaign_id: 'camp_club', outstanding_points: 100 + 30 + 7 - 40 },
    { expires_in: '2027-07', campaign_id: 'camp_club', outstanding_points: 11 },
    // ADA, BOB, OFF and OVER. RICH was deleted with its 2,000 points.
    { expires_in: null, campaign_id: 'camp_club', outstanding_points: 900 + 60 + 10 + 10 },
  ];
  for (const one of [store, filled.store, engine]) expect(await one.query(query)).toEqual(expected);
  const ofOther = { ...query, parameters: { ...query.parameters, campaign_id: 'camp_spring' } };
  expect(await store.query(ofOther)).toEqual([]);
});
