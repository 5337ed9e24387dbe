import { describe, expect, test } from 'vitest';
import { handler as updateHandler } from '../../functions/campaigns/update-campaign.ts';
import { caller } from '../support/call.ts';
import { coupons, openCampaigns } from '../support/updated-campaigns.ts';

const { project, update, read } = await openCampaigns({
  campaigns: [
    { ...coupons, id: 'camp_crowd', name: 'Crowd' },
    {
      ...coupons,
      id: 'camp_race',
      name: 'Race',
      start_date: '2026-03-01T00:00:00Z',
      expiration_date: '2026-04-30T00:00:00Z',
    },
  ],
});

/** Sends twenty simultaneous requests, each with its own body. */
const updatesOfRace = (bodyOf: (index: number) => object) =>
  Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      caller(updateHandler)({
        params: { campaignId: 'camp_race' },
        headers: project.credentials,
        body: bodyOf(index),
      }),
    ),
  );

describe('updates at once', () => {
  test('of different fields and metadata keys by twenty callers all survive', async () => {
    const replies = await updatesOfRace((index) =>
      index % 2 ? { metadata: { [`key${index}`]: index } } : { description: `by ${index}` },
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const { metadata, description } = await read('camp_race');
    expect(Object.keys(metadata)).toHaveLength(10);
    expect(description).toMatch(/^by \d+$/);
  });

  test('of many metadata keys each lose nothing of one another', async () => {
    const keysOf = (caller: number) => Array.from({ length: 150 }, (_, index) => `${caller}.${index}`);
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        update('camp_crowd', { metadata: Object.fromEntries(keysOf(index).map((key) => [key, true])) }),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(Object.keys((await read('camp_crowd')).metadata)).toHaveLength(900);
  });

  test('of two dates that contradict each other leave the campaign with its dates in order', async () => {
    const outcomes = await updatesOfRace((index) => ({
      [index % 2 ? 'start_date' : 'expiration_date']: `2026-03-${10 + index}T00:00:00Z`,
    }));
    for (const { status } of outcomes) expect([200, 400]).toContain(status);
    const { start_date, expiration_date } = await read('camp_race');
    expect(start_date <= expiration_date).toBe(true);
  });
});
