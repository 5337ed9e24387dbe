import { handler as getHandler } from '../../functions/promotions/get-promotion-tier.ts';
import { handler as updateHandler } from '../../functions/promotions/update-promotion-tier.ts';
import { caller } from './call.ts';
import { standingClock, testDependencies } from './dependencies.ts';
import { loadProject, type TestProject } from './project.ts';

export const start = '2026-03-01T00:00:00.000Z';
export const end = '2026-05-01T00:00:00.000Z';

const tier = (id: string, hierarchy: number, rest: object = {}) => ({
  id,
  name: `Tier ${id}`,
  campaign_id: 'camp_1',
  hierarchy,
  created_at: `2026-01-0${hierarchy}T00:00:00.000Z`,
  ...rest,
});

const lists = {
  categories: [
    { id: 'cat_1', name: 'One' },
    { id: 'cat_2', name: 'Two' },
  ],
  validation_rules: [
    { id: 'val_1', name: 'One' },
    { id: 'val_2', name: 'Two' },
  ],
  validation_rules_assignments: [
    { id: 'asgm_1', rule_id: 'val_1', related_object_type: 'promotion_tier', related_object_id: 'promo_dated' },
  ],
  campaigns: ['camp_1', 'camp_2'].map((id) => ({ id, name: id, campaign_type: 'PROMOTION', type: 'STATIC' })),
  promotion_tiers: [
    tier('promo_plain', 1, { metadata: { a: 1, b: { deep: true } } }),
    tier('promo_dated', 2, {
      category: 'One',
      banner: 'Hello',
      action: { discount: { type: 'PERCENT', percent_off: 5 } },
      start_date: start,
      expiration_date: end,
      validity_timeframe: { interval: 'P2D', duration: 'P1D' },
      validity_day_of_week: [1],
      validity_hours: { daily: [{ start_time: '10:00', expiration_time: '11:00' }] },
      metadata: { kept: true },
    }),
    tier('promo_third', 3),
    tier('promo_fourth', 4, { campaign_id: 'camp_2' }),
  ],
};

export const tierIds = lists.promotion_tiers.map(({ id }) => id);

/** Each update has its own time, like separate requests. */
function updaterOf(headers: TestProject['credentials']) {
  let seconds = 0;
  return (promotionTierId: string, body: unknown) => {
    seconds += 1;
    const clock = standingClock(new Date(Date.UTC(2026, 5, 15, 12, 0, seconds)));
    return caller(updateHandler, testDependencies({ clock }))({ params: { promotionTierId }, headers, body });
  };
}

/** Loads a project with promotion tiers. Returns the calls that update and show them. */
export async function openTiers(of: Record<string, unknown> = lists) {
  const project = await loadProject(of);
  const { credentials: headers } = project;
  return {
    project,
    update: updaterOf(headers),
    read: async (promotionTierId: string) => (await caller(getHandler)({ params: { promotionTierId }, headers })).body,
  };
}
