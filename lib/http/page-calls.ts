import * as v from 'valibot';
import { count } from '../core/schema.ts';
import { digested, tableShape } from '../table/keys.ts';
import { kind, marks } from '../table/kind.ts';
import type { Table } from '../table/table.ts';
import { Update } from '../table/update.ts';

const pageCallsItem = v.object({ calls: count, expiresAt: count });

/** Calls of a page in one window, by who calls from where: as a digest, for addresses are of people. */
export const pageCalls = kind<typeof pageCallsItem, [caller: string, window: string]>('PAGE_CALLS', pageCallsItem);

/** Of the partition keys of all projects, as IAM knows them. */
export const pageCallsKeys = '*#PAGE_CALLS#*';

/** No container's clock is so far behind that a window which is over for one is open for another. */
const keptForInSeconds = 60;

export interface CountedCall {
  readonly projectId: string;
  readonly caller: string;
  readonly address: string;
  /** Counted from 1970 on. */
  readonly window: number;
  readonly limit: number;
  /** For how many calls it counts. */
  readonly weight: number;
  readonly now: Date;
}

/**
 * Counts a call for all containers, in one conditional write: how many there are with it, or `undefined` where the window has no room for it.
 * A write whose reply is lost may count twice.
 */
export async function countPageCall(
  table: Table,
  { projectId, caller, address, window, limit, weight, now }: CountedCall,
): Promise<number | undefined> {
  const key = pageCalls(projectId, digested(`${caller}\n${address}`), String(window));
  const expiresAt = Math.floor(now.getTime() / 1000) + keptForInSeconds;
  const update = new Update().add('calls', weight).set([tableShape.timeToLive], expiresAt);
  update.whenAtMost('calls', limit - weight);
  for (const [name, value] of Object.entries(marks(key))) update.set([name], value);
  const outcome = await table.change(key, update.build());
  return outcome.done ? v.parse(pageCallsItem, outcome.item).calls : undefined;
}
