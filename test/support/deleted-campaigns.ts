import { handler as getActionHandler } from '../../functions/async-actions/get-async-action.ts';
import { handler as deleteHandler } from '../../functions/campaigns/delete-campaign.ts';
import { caller } from './call.ts';
import { ownTable, testDependencies } from './dependencies.ts';
import { itemsOf, runOutbox } from './outbox.ts';
import { loadProject } from './project.ts';

export type Handler = Parameters<typeof caller>[0];

/** Items that outlive a campaign: finished jobs expire alone, and customers keep their activities. */
const kept = /#(?:JOB|IDEMPOTENCY_KEY|TOTAL)#|^ACTIVITY#|^CAMPAIGN_ACTIVITIES#/;

/** Loads a project into the test's own table, and deletes its campaigns. */
export async function newWorld(lists: Record<string, unknown> = {}) {
  const dependencies = testDependencies({ tableName: await ownTable() });
  const { id, credentials: headers } = await loadProject(lists, dependencies);
  const ask = (handler: Handler, params: Record<string, string>, rest: { query?: string; body?: unknown } = {}) =>
    caller(handler, dependencies)({ params, headers, ...rest });
  const items = () => itemsOf(id, '', dependencies);
  return {
    id,
    dependencies,
    ask,
    items,
    remove: (campaignId: string, query = 'force=true') => ask(deleteHandler, { campaignId }, { query }),
    run: () => runOutbox(id, dependencies),
    resultOf: async (asyncActionId: string) => {
      const { body } = await ask(getActionHandler, { asyncActionId });
      return [body.type, body.status, body.result?.done_count];
    },
    /** Returns every item that still mentions the campaign. */
    leftOf: async (campaignId: string) =>
      (await items()).filter(
        (item) =>
          JSON.stringify(item).includes(campaignId) && !kept.test(String(item.pk)) && !kept.test(String(item.sk)),
      ),
  };
}

export type World = Awaited<ReturnType<typeof newWorld>>;

export const percent = { type: 'PERCENT', percent_off: 5 };
