import { handler as createRules } from '../../functions/loyalties/create-earning-rules.ts';
import { caller } from './call.ts';
import { testDependencies } from './dependencies.ts';
import { passiveSegment } from './lists.ts';
import { programme } from './loyalty.ts';
import { itemsOf } from './outbox.ts';
import { loadProject } from './project.ts';

type Handler = Parameters<typeof caller>[0];

/** Two programmes, and the campaigns, products and rules that earning rules may or may not name. */
const club = {
  campaigns: [programme('camp_club'), programme('camp_other')],
  event_schema: [{ name: 'visit', metadata: { length: 'number', place: 'string' } }],
  validation_rules: [
    { id: 'val_any', name: 'Any' },
    { id: 'val_paid', name: 'Paid', context_type: 'earning_rule.order.paid' },
    { id: 'val_coupon', name: 'Coupon', context_type: 'campaign.discount_coupons' },
  ],
  segments: [
    {
      id: 'seg_auto',
      name: 'Auto',
      type: 'auto-update',
      filter: { junction: 'and', 'metadata.a': { conditions: { $is: [1] } } },
    },
    passiveSegment('seg_passive', 'Passive', { 'metadata.a': { conditions: { $is: [1] } } }),
    { id: 'seg_static', name: 'Static', type: 'static', customers: ['cust_1'] },
  ],
  customers: [{ id: 'cust_1', name: 'One' }],
  loyalty_tiers: [{ id: 'ltr_other', name: 'Other', campaign_id: 'camp_other', points: { from: 0 } }],
};

/** The path of the programme in which the rules are created. */
export const path = { campaignId: 'camp_club' };

/** Loads the club into a separate project, and returns its calls. */
export async function newWorld() {
  const dependencies = testDependencies();
  const project = await loadProject(club, dependencies);
  const ask = (handler: Handler, params: Record<string, string> = path, rest: object = {}) =>
    caller(handler, dependencies)({ headers: project.credentials, params, ...rest });
  return {
    ask,
    create: (...body: object[]) => ask(createRules, path, { body }),
    kinds: async () => [...new Set((await itemsOf(project.id, '', dependencies)).map(({ kind }) => kind))],
  };
}

export const fixed = (points: unknown = 5) => ({ type: 'FIXED', points });
export const visit = (more: object = {}) => ({ event: 'visit', loyalty: fixed(), ...more });
export const paid = (loyalty: object, more: object = {}) => ({ event: 'order.paid', loyalty, ...more });
export const proportional = (calculation_type: string, measure: object) => ({
  type: 'PROPORTIONAL',
  calculation_type,
  ...measure,
});
export const every = { every: 100, points: 2 };
