import * as v from 'valibot';
import type { Dependencies } from '../composition.ts';
import { untilAnswered } from '../conflicts.ts';
import { type Attributes, parseStored, Table } from '../dynamodb.ts';
import { causeOf } from '../failure.ts';
import type { Project } from '../projects/project.ts';
import { dueShards, indexed, type Key, keyOf, keys } from '../table.ts';
import { UpdateExpression } from '../update-expression.ts';
import { type VoucherItem, voucherItem } from '../vouchers/voucher.ts';
import { aged, type Card, cardWrites, type Programme, posted } from './card.ts';
import { pendingPointsItem } from './pending-points.ts';
import { findProgrammes } from './programme.ts';
import { ofTime, settleCards } from './settle.ts';

/** Items under way at once: each is mostly waiting for the table. */
const itemsAtOnce = 8;

/** Of an item in the list of what is due. */
const dueItem = v.looseObject({ project_id: v.string(), dueAt: v.optional(v.string()), type: v.optional(v.string()) });

type Outcome = 'settled' | 'activated' | 'skipped';

/** What a run has done; `finished` is false where its time was up before. */
export interface DueReport {
  settled: number;
  activated: number;
  /** Had been seen to by others. */
  skipped: number;
  /** Each told of in the log; they stay due, for the next run. */
  failed: number;
  finished: boolean;
}

interface Context {
  table: Table;
  project: Project;
  now: Date;
}

/** One run: programmes are read once in it. */
class Run {
  readonly #dependencies: Dependencies;
  readonly #now: Date;
  readonly #table: Table;
  readonly #programmes = new Map<string, Promise<Programme | undefined>>();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#now = dependencies.clock();
    this.#table = new Table(dependencies.dynamodb, dependencies.tableName, this.#now);
  }

  /** Keys of what was due when the run began, by as many as DynamoDB reads in a call: no more is ever held. */
  async *pages(): AsyncGenerator<Key[]> {
    for (let shard = 0; shard < dueShards; shard++) {
      const due = { index: 'due', partition: indexed.due(shard), to: this.#now.toISOString() } as const;
      for await (const page of this.#table.pages(due)) yield page.map(keyOf);
    }
  }

  /** Whatever the index says, which lags behind: what the item itself says is done, on the condition that it still does. */
  settle(key: Key): Promise<Outcome> {
    return untilAnswered(this.#table, async () => {
      const [item] = await this.#table.getMany([key]);
      if (!item) return 'skipped';
      const { project_id: projectId, dueAt, type } = parseStored(dueItem, item);
      if (dueAt === undefined || dueAt > this.#now.toISOString()) return 'skipped';
      const { credentialCache } = this.#dependencies;
      const project = await credentialCache.project(this.#table, projectId, this.#now);
      if (!project) throw new Error('the project of what is due is not there');
      const context = { table: this.#table, project, now: this.#now };
      return type === 'LOYALTY_CARD' ? this.#settleCard(context, item) : this.#activate(context, key, item);
    });
  }

  async #settleCard(context: Context, item: Attributes): Promise<Outcome | undefined> {
    const card = await this.#cardOf(context, parseStored(voucherItem, item));
    // Also where there is nothing to tell: the card then knows when it has to be looked at again.
    const { done } = await this.#table.transact(
      cardWrites(context.project.id, aged(card, ofTime(this.#now)), this.#now).writes,
    );
    return done ? 'settled' : undefined;
  }

  /** Pending points become points of the card, under the rules for those that are credited now. */
  async #activate(context: Context, key: Key, item: Attributes): Promise<Outcome | undefined> {
    const { project } = context;
    const pending = parseStored(pendingPointsItem, item);
    if (pending.state !== 'PENDING') {
      const notDue = new UpdateExpression().whenStill('state', pending.state).remove(['dueShard']).remove(['dueAt']);
      const { done } = await this.#table.change(key, notDue.build());
      return done ? 'skipped' : undefined;
    }
    const [stored] = await this.#table.getMany([keys.voucher(project.id, pending.voucher_id)]);
    if (!stored) throw new Error('the card of pending points is not there');
    const card = await this.#cardOf(context, parseStored(voucherItem, stored));
    if (await settleCards(context, [card])) return undefined;

    const { points, event, earning_rule_id } = pending;
    const about = { pending_points_id: pending.id, event, earning_rule_id };
    const credited = posted(card, ofTime(this.#now), [{ type: 'POINTS_ACCRUAL', points, about }]);
    const after = { ...credited.after, pending_points: card.item.pending_points - points };
    const activated = new UpdateExpression()
      .whenStill('state', 'PENDING')
      .whenStill('points', points)
      .set(['state'], 'ACTIVATED')
      .set(['updated_at'], this.#now.toISOString())
      .remove(['dueShard'])
      .remove(['dueAt']);
    const { done } = await this.#table.transact([
      { key, change: activated.build() },
      ...cardWrites(project.id, { ...credited, after }, this.#now).writes,
    ]);
    return done ? 'activated' : undefined;
  }

  async #cardOf(context: Context, item: VoucherItem): Promise<Card> {
    const campaignId = item.campaign_id;
    if (!campaignId) return { item, programme: undefined };
    const name = `${context.project.id} ${campaignId}`;
    const read = async () => (await findProgrammes(context, [campaignId])).get(campaignId);
    const programme = this.#programmes.get(name) ?? read();
    this.#programmes.set(name, programme);
    return { item, programme: await programme };
  }
}

/**
 * Does what is due though nobody asks: writes off points whose day has passed, moves members whose tier is over, and turns
 * pending points into points. It may be cut off anywhere, and run at the same time as another or as requests: each item is
 * done in one transaction, on the condition that it is as it was read. `isTimeUp` is asked before each.
 */
export async function settleDue(dependencies: Dependencies, isTimeUp: () => boolean = () => false): Promise<DueReport> {
  const { clock, log } = dependencies;
  const startedAt = clock();
  const run = new Run(dependencies);
  const report: DueReport = { settled: 0, activated: 0, skipped: 0, failed: 0, finished: true };
  const tell = (level: 'info' | 'error', fields: Attributes) =>
    log(JSON.stringify({ level, time: startedAt.toISOString(), job: 'settle-due', ...fields }));

  async function work(waiting: Key[]): Promise<void> {
    for (let key = waiting.shift(); key; key = waiting.shift()) {
      if (isTimeUp()) {
        report.finished = false;
        return;
      }
      try {
        report[await run.settle(key)] += 1;
      } catch (error) {
        report.failed += 1;
        tell('error', { item: key, ...causeOf(error) });
      }
    }
  }

  for await (const waiting of run.pages()) {
    await Promise.all(Array.from({ length: itemsAtOnce }, () => work(waiting)));
    if (!report.finished) break;
  }
  tell('info', { ...report, duration_ms: clock().getTime() - startedAt.getTime() });
  return report;
}
