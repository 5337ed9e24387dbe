import * as v from 'valibot';
import { customers } from '#engine/customers/customer.ts';
import { buildHolding } from '#engine/vouchers/held-card.ts';
import { type PublicationItem, publications } from '#engine/vouchers/publication.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import { finishJob } from '#kernel/kit/jobs/endings.ts';
import { jobItem, newJob } from '#kernel/kit/jobs/job.ts';
import type { Work } from '#kernel/kit/jobs/run.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { check, commitApart, type Effect, insert } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { type ItemKey, kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { read } from '#kernel/table/read.ts';

/**
 * Writes the last holdings of a large publication afterwards. A voucher and its holding are two items, so that fifty exceed a transaction.
 */

const holdJobItem = v.object({ ...jobItem.entries, first: v.number() });

const holdJobs = kind<typeof holdJobItem, [type: 'HOLD', id: string]>(kinds.job, holdJobItem);

/** Starts the job that makes the holder's holdings from the `first` voucher on. */
export function holdLater(projectId: string, { id }: PublicationItem, first: number, now: Date): Effect {
  const key: ItemKey = { ...holdJobs(projectId, 'HOLD', id), kind: 'hold-vouchers' };
  return insert(key, newJob(key, { kind: 'hold-vouchers', about: id, project_id: projectId }, now, { first }).insert);
}

/** Makes missing holdings, except for deleted vouchers or customers. */
export const holdVouchers: Work = {
  run: async (context, stored) => {
    const { table, now } = context;
    const job = parseStored(holdJobItem, stored);
    const { id: projectId } = await context.project();
    await retryOptimistically(table, async () => {
      // A merge of customers gives the publication to another holder.
      const { found } = await read(table, { found: publications(projectId, job.about) });
      if (!found?.customer_id) throw new Error('the publication of a job is missing');
      const { customer_id: holderId, created_at } = found;
      const rest = found.vouchers.slice(job.first).map(({ id }) => vouchers(projectId, id));
      const { items, customer } = await read(table, { items: rest, customer: customers(projectId, holderId) });
      const own = items.flatMap((item) => (customer && item?.holder_id === holderId ? [item] : []));
      const holdings = own.map((item) => buildHolding(projectId, holderId, item, created_at));
      const there = await table.getMany(holdings.map(({ key }) => key));
      const missing = holdings.filter((_, index) => !there[index]);
      if (missing.length === 0) return true;
      const isThere = check(customers(projectId, holderId), (update) => update.whenThere());
      return (await commitApart(table, [isThere, ...missing.map(({ key, item }) => insert(key, item))])) || again;
    });
    await finishJob({ table, now }, job);
    return 'done';
  },
};
