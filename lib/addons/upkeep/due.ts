import { sweepHolds } from '#engine/holds/sweep-holds.ts';
import { removeAfterLastUse } from '#engine/ledger/codes/voucher-lists.ts';
import { DuePoints } from '#engine/loyalty/due-points.ts';
import { describeFailure } from '#kernel/core/failure.ts';
import { isMove } from '#kernel/kit/jobs/changes.ts';
import { dueItem } from '#kernel/kit/jobs/due-item.ts';
import type { JobDependencies, Works } from '#kernel/kit/jobs/run.ts';
import { sweep } from '#kernel/kit/jobs/sweep.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { dueShards, indexed, type Key, keyOf, readKinds, readProjectId } from '#kernel/table/keys.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { Table } from '#kernel/table/table.ts';
import { startRetention } from './retention/job.ts';

/** Limits simultaneous items. An item mostly waits for the table. */
const itemsAtOnce = 8;
const hourInMs = 3_600_000;
/** Kinds with holds ahead of redemptions: codes, promotion tiers and counters of rules. */
const kindsWithHolds: ReadonlySet<string> = new Set([kinds.voucher, kinds.promotionTier, kinds.ruleCounter]);

/** The results of a run. `finished` is false if its time ended, or a part of the list could not be read. */
export interface DueReport {
  settled: number;
  activated: number;
  /** Old jobs that were resumed or ended. */
  swept: number;
  /** Items that other workers had handled. */
  skipped: number;
  /** Jobs that archive and remove old records. */
  started: number;
  /** Failed items, each in the log. They stay due for the next run. */
  failed: number;
  finished: boolean;
}

type Done = Pick<DueReport, 'settled' | 'activated' | 'swept' | 'skipped'>;

/** Orders the parts of the list, beginning with a different part each hour, so that no part waits for ever. */
export function orderShards(now: Date): number[] {
  const first = Math.floor(now.getTime() / hourInMs) % dueShards;
  return Array.from({ length: dueShards }, (_, offset) => (first + offset) % dueShards);
}

/**
 * Handles due items: points that expire or activate, tiers that end, holds of dead containers, and unfinished work. It
 * may be cut off anywhere, and may run in parallel with requests or another run. It calls `isTimeUp` before each item.
 */
export async function settleDueItems(
  dependencies: JobDependencies,
  works: Works,
  isTimeUp: () => boolean = () => false,
): Promise<DueReport> {
  const { clock, log, dynamodb, tableName } = dependencies;
  const now = clock();
  const table = new Table(dynamodb, tableName, now);
  const points = new DuePoints(dependencies, now);
  const report: DueReport = { settled: 0, activated: 0, swept: 0, skipped: 0, started: 0, failed: 0, finished: true };
  const note = (level: 'info' | 'error', fields: Attributes) =>
    log(JSON.stringify({ level, time: now.toISOString(), job: 'settle-due', ...fields }));

  async function dueNow(key: Key): Promise<Attributes | undefined> {
    const [item] = await table.getMany([key]);
    const { dueAt } = parseStored(dueItem, item ?? {});
    return dueAt === undefined || dueAt > now.toISOString() ? undefined : item;
  }

  async function settleHeld(key: Key): Promise<Partial<Done>> {
    const item = await dueNow(key);
    if (!item) return { skipped: 1 };
    if (readKinds(key).kind === kinds.voucher && item.type !== 'DISCOUNT_VOUCHER') return points.settle(key);
    const holding = { table, project: { id: readProjectId(key) }, now };
    const settle = readKinds(key).kind === kinds.voucher ? removeAfterLastUse : undefined;
    const isSettled = await sweepHolds(holding, item, settle);
    return isSettled ? { settled: 1 } : { skipped: 1 };
  }

  async function settle(key: Key): Promise<Partial<Done>> {
    if (kindsWithHolds.has(readKinds(key).kind)) return settleHeld(key);
    if (isMove(key)) {
      await (await import('./tier-moves.ts')).followMove(key, dependencies);
      return { settled: 1 };
    }
    if (readKinds(key).kind !== kinds.job) return points.settle(key);
    const item = await dueNow(key);
    if (!item) return { skipped: 1 };
    await sweep(key, item, dependencies, works);
    return { swept: 1 };
  }

  let isStopped = false;
  async function work(waiting: Key[]): Promise<void> {
    for (let key = waiting.shift(); key; key = waiting.shift()) {
      if (isTimeUp()) {
        isStopped = true;
        return;
      }
      try {
        const { settled = 0, activated = 0, swept = 0, skipped = 0 } = await settle(key);
        report.settled += settled;
        report.activated += activated;
        report.swept += swept;
        report.skipped += skipped;
      } catch (error) {
        report.failed += 1;
        note('error', { item: key, ...describeFailure(error) });
      }
    }
  }

  for (const shard of orderShards(now)) {
    if (isStopped) break;
    try {
      for await (const page of table.pages({ index: 'due', partition: indexed.due(shard), to: now.toISOString() })) {
        const waiting = page.map(keyOf);
        await Promise.all(Array.from({ length: itemsAtOnce }, () => work(waiting)));
        if (isStopped) break;
      }
    } catch (error) {
      report.finished = false;
      note('error', { shard, ...describeFailure(error) });
    }
  }
  try {
    report.started = await startRetention(table, now, isTimeUp);
  } catch (error) {
    report.finished = false;
    note('error', { retention: true, ...describeFailure(error) });
  }
  if (isStopped) report.finished = false;
  note('info', { ...report, duration_ms: clock().getTime() - now.getTime() });
  return report;
}
