import { handler as listActivities } from '../../functions/customers/list-customer-activities.ts';
import { handler as memberTiers } from '../../functions/loyalties/list-member-tiers.ts';
import { caller } from './call.ts';
import { standingClock, testDependencies } from './dependencies.ts';
import { card, programme } from './loyalty.ts';
import { runOutbox } from './outbox.ts';
import { loadProject } from './project.ts';

type Handler = Parameters<typeof caller>[0];

export async function openProgrammes(lists: Record<string, unknown> = {}) {
  const dependencies = testDependencies({ clock: standingClock() });
  const project = await loadProject(lists, dependencies);
  const headers = project.credentials;
  const ask = (handler: Handler, params: Record<string, string> = {}, rest: object = {}) =>
    caller(handler, dependencies)({ headers, params, ...rest });
  return {
    dependencies,
    project,
    ask,
    run: () => runOutbox(project.id, dependencies),
    /** Returns the tier changes that were reported to a customer. */
    told: async (customerId: string) => {
      const { body } = await ask(listActivities, { customerId }, { query: 'limit=100&order=created_at' });
      return body.data
        .map(({ type }: { type: string }) => type)
        .filter((type: string) => type.includes('.tier.'))
        .map((type: string) => type.replace('customer.loyalty.tier.', ''));
    },
    tierOf: async (memberId: string) => (await ask(memberTiers, { memberId })).body.data[0],
  };
}

export const tier = (name: string, from: number, to?: number, more: object = {}) => ({
  name,
  points: { from, ...(to === undefined ? {} : { to }) },
  ...more,
});

export const club = {
  campaigns: [programme('camp_club'), programme('camp_other')],
  customers: ['ada', 'bob', 'eve'].map((name) => ({ id: `cust_${name}`, name })),
  vouchers: [
    card('ADA', 120, { holder_id: 'cust_ada' }),
    card('BOB', 20, { holder_id: 'cust_bob' }),
    card('EVE', 5, { holder_id: 'cust_eve', loyalty_card: { points: 5, balance: 5, standing: null } }),
  ],
  rewards: [{ id: 'rew_1', name: 'Mug', type: 'MATERIAL', parameters: {} }],
  reward_assignments: [
    { id: 'rewa_1', reward_id: 'rew_1', related_object_id: 'camp_club', related_object_type: 'campaign' },
  ],
  event_schema: [{ name: 'visit', metadata: {} }],
  earning_rules: [
    { id: 'ern_1', campaign_id: 'camp_club', event: 'visit', active: true, loyalty: { type: 'FIXED', points: 5 } },
    { id: 'ern_2', campaign_id: 'camp_other', event: 'visit', active: true, loyalty: { type: 'FIXED', points: 5 } },
  ],
};

export const path = { campaignId: 'camp_club' };
