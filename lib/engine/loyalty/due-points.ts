import { findProgrammes, type Programme } from '#engine/campaigns/programme.ts';
import { pendingPoints, pendingPointsItem } from '#engine/ledger/pending-points.ts';
import { expireLots } from '#engine/ledger/settlement.ts';
import type { MemberCard } from '#engine/vouchers/member-card.ts';
import { type VoucherItem, voucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import { isProjectDeleted } from '#kernel/access/projects/project.ts';
import { inProjectTime } from '#kernel/core/local-time.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import type { Reading } from '#kernel/http/context.ts';
import { dueItem } from '#kernel/kit/jobs/due-item.ts';
import { type Again, again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { setDue } from '#kernel/table/due.ts';
import { change, commit } from '#kernel/table/effects.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { type Key, readKinds } from '#kernel/table/keys.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { read } from '#kernel/table/read.ts';
import { Table } from '#kernel/table/table.ts';
import { planSettling } from './settle-cards.ts';

/** Counts the effects of due items. */
type Outcome = Partial<Record<'settled' | 'activated' | 'skipped', number>>;

/**
 * Activates pending points, writes off expired points, and moves members whose tier is over. One transaction settles each card, and
 * requires that the card is unchanged. A run reads each programme once.
 */
export class DuePoints {
  readonly #dependencies: Dependencies;
  readonly #now: Date;
  readonly #table: Table;
  readonly #programmes = new Map<string, Promise<Programme | undefined>>();

  constructor(dependencies: Dependencies, now: Date) {
    this.#dependencies = dependencies;
    this.#now = now;
    this.#table = new Table(dependencies.dynamodb, dependencies.tableName, now);
  }

  /**
   * Settles a due item. The item itself decides, because the index lags. The write requires that the item is still due.
   */
  settle(key: Key): Promise<Outcome> {
    return retryOptimistically(this.#table, async () => {
      const [item] = await this.#table.getMany([key]);
      if (!item) return { skipped: 1 };
      const { project_id: projectId = '', dueAt } = parseStored(dueItem, item);
      if (dueAt === undefined || dueAt > this.#now.toISOString()) return { skipped: 1 };
      const { credentialCache } = this.#dependencies;
      const project = await credentialCache.project(this.#table, projectId, this.#now);
      if (!project && (await isProjectDeleted(this.#table, projectId))) return { skipped: 1 };
      if (!project) throw new Error('the project of a due item is missing');
      const context = { table: this.#table, project, now: inProjectTime(this.#now, project) };
      return readKinds(key).kind === kinds.voucher
        ? this.#settleCard(context, parseStored(voucherItem, item))
        : this.#activate(context, item);
    });
  }

  async #settleCard(context: Reading, stored: VoucherItem): Promise<Outcome | Again> {
    const card = await this.#cardOf(context, stored);
    // An unchanged card also learns when it must be examined again.
    const due = await planSettling(context, card, expireLots);
    if (!due) return { skipped: 1 };
    const { effects, activated, isPart } = due;
    return (await commit(this.#table, effects)) ? { activated, settled: isPart ? 0 : 1 } : again;
  }

  /** Settles the card, with everything else that is due on it. */
  async #activate(context: Reading, item: Attributes): Promise<Outcome | Again> {
    const { project } = context;
    const pending = parseStored(pendingPointsItem, item);
    const key = pendingPoints(project.id, pending.voucher_id, pending.id);
    if (pending.state !== 'PENDING') {
      const notDue = change(key, (update) => setDue(update.whenStill('state', pending.state), key, undefined));
      return (await commit(this.#table, [notDue])) ? { skipped: 1 } : again;
    }
    const { stored } = await read(this.#table, { stored: vouchers(project.id, pending.voucher_id) });
    // The card is being deleted, together with its pending points.
    if (!stored) return { skipped: 1 };
    const done = await this.#settleCard(context, stored);
    return done === again ? again : { activated: done.activated ?? 0 };
  }

  async #cardOf(context: Reading, item: VoucherItem): Promise<MemberCard> {
    const campaignId = item.campaign_id;
    if (!campaignId) return { item, programme: undefined };
    const name = `${context.project.id} ${campaignId}`;
    const read = async () => (await findProgrammes(context, [campaignId])).get(campaignId);
    const programme = this.#programmes.get(name) ?? read();
    this.#programmes.set(name, programme);
    return { item, programme: await programme };
  }
}
