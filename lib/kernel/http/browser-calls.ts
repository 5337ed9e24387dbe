import * as v from 'valibot';
import { count } from '#kernel/core/schema.ts';
import { digestPart, tableShape } from '#kernel/table/keys.ts';
import { itemMarks, kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import type { Table } from '#kernel/table/table.ts';
import { Update } from '#kernel/table/update.ts';

const pageCallsItem = v.object({ calls: count, expiresAt: count });

/** Stores the calls of a browser in one window, by a digest of the caller and its address, because addresses are personal data. */
export const browserCalls = kind<typeof pageCallsItem, [caller: string, window: string]>(
  kinds.pageCalls,
  pageCallsItem,
);

/** A pattern of IAM for the partition keys of all projects. */
export const browserCallsKeys = '*#PAGE_CALLS#*';

/** Covers the differences between the clocks of containers. A window that ended for one may be open for another. */
const keptForInSeconds = 60;

export interface CountedCall {
  readonly projectId: string;
  readonly caller: string;
  readonly address: string;
  /** The window's number, counted from 1970 on. */
  readonly window: number;
  readonly limit: number;
  /** The number of calls that this one counts for. */
  readonly weight: number;
  readonly now: Date;
}

/**
 * Counts a call across all containers in one conditional write. Returns the sum, or `undefined` if the window has no room for the call. A
 * write with a lost reply may count twice.
 */
export async function countBrowserCall(
  table: Table,
  { projectId, caller, address, window, limit, weight, now }: CountedCall,
): Promise<number | undefined> {
  const key = browserCalls(projectId, digestPart(`${caller}\n${address}`), String(window));
  const expiresAt = Math.floor(now.getTime() / 1000) + keptForInSeconds;
  const update = Update.of(key).add('calls', weight).set([tableShape.timeToLive], expiresAt);
  update.whenAtMost('calls', limit - weight);
  update.setAll(itemMarks(key));
  const outcome = await table.change(key, update.build());
  return outcome.done ? v.parse(pageCallsItem, outcome.item).calls : undefined;
}
