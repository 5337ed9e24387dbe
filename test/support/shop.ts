import { handler as customerHandler } from '../../functions/customers/get-customer.ts';
import { handler as activitiesHandler } from '../../functions/customers/list-customer-activities.ts';
import { handler } from '../../functions/events/send-event.ts';
import { handler as tiersHandler } from '../../functions/loyalties/list-member-tiers.ts';
import { handler as voucherHandler } from '../../functions/vouchers/get-voucher.ts';
import { handler as transactionsHandler } from '../../functions/vouchers/list-voucher-transactions.ts';
import { caller } from './call.ts';
import { club } from './club.ts';
import { testDependencies } from './dependencies.ts';
import { loadProject, type TestProject } from './project.ts';

/** Opens a shop: a project with the club or with other lists, and its calls. */
export async function openShop(dependencies = testDependencies(), lists: Record<string, unknown> = club) {
  const project: TestProject = await loadProject(lists);
  const headers = project.credentials;
  const send = caller(handler, dependencies);
  const customer = caller(customerHandler, dependencies);
  const voucher = caller(voucherHandler, dependencies);
  const activities = caller(activitiesHandler, dependencies);
  const transactions = caller(transactionsHandler, dependencies);
  const tiers = caller(tiersHandler, dependencies);
  return {
    project,
    send: (body: unknown) => send({ headers, body }),
    customer: async (id: string) => (await customer({ headers, params: { customerId: id } })).body,
    memberships: async (id: string) => (await customer({ headers, params: { customerId: id } })).body.loyalty.campaigns,
    voucher: async (code: string) => (await voucher({ headers, params: { code } })).body,
    card: async (code: string) => (await voucher({ headers, params: { code } })).body.loyalty_card,
    ledger: async (code: string) => (await transactions({ headers, params: { code }, query: 'limit=100' })).body.data,
    tier: async (code: string) => (await tiers({ headers, params: { memberId: code } })).body.data[0]?.id,
    activities: async (id: string, query = 'limit=100') =>
      (await activities({ headers, params: { customerId: id }, query })).body,
  };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** Returns the sorted types of a list of activities. */
export function typesOf({ data }: { data: { type: string }[] }): string[] {
  return data.map(({ type }) => type).sort();
}
