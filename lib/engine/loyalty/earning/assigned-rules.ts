import { rulesOfObject } from '#engine/rules/assignment.ts';
import type { Reading } from '#kernel/http/context.ts';
import { Kept, type KeptVersion } from '#kernel/table/kept.ts';
import { read } from '#kernel/table/read.ts';

/** Finds the validation rules that earning rules must meet. */

/** The ids of validation rules, by the earning rule's id. */
export type AssignedRules = ReadonlyMap<string, readonly string[]>;

export const noneAssigned: AssignedRules = new Map();

const keptAssigned = new Kept<readonly string[]>();

/** Reads the assignments that the container does not keep, in one call. */
export async function readAssigned(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  ids: readonly string[],
  kept: KeptVersion,
): Promise<AssignedRules> {
  const readOne = async (id: string) => {
    const { found } = await read(table, { found: rulesOfObject(project.id, 'earning_rule', id) });
    return (found?.validation_rules_assignments ?? []).map(({ rule_id }) => rule_id);
  };
  const all = await Promise.all(ids.map((id) => keptAssigned.get(kept, id, () => readOne(id))));
  return new Map(ids.map((id, index) => [id, all[index] ?? []]));
}

/** Remembers what the container last read. It guesses the items to read with a programme, and never decides. */
const seen = new WeakMap<object, Map<string, readonly string[]>>();
const maxSeen = 5_000;

function seenBy({ table }: Reading) {
  const own = seen.get(table.container) ?? new Map<string, readonly string[]>();
  seen.set(table.container, own);
  return own;
}

const nameOf = ({ project }: Reading, campaignId: string, event: string) => `${project.id} ${campaignId} ${event}`;

export function rememberWaiting(
  context: Reading,
  rules: readonly { readonly id: string; readonly campaign_id: string }[],
  event: string,
): void {
  const known = seenBy(context);
  if (known.size >= maxSeen) known.clear();
  for (const [campaignId, own] of Map.groupBy(rules, ({ campaign_id }) => campaign_id)) {
    known.set(
      nameOf(context, campaignId, event),
      own.map(({ id }) => id),
    );
  }
}

/** Returns the rules of these campaigns that waited for the event at the container's last read. */
export function recallWaiting(context: Reading, campaignIds: readonly string[], event: string): string[] {
  const known = seenBy(context);
  return campaignIds.flatMap((id) => known.get(nameOf(context, id, event)) ?? []);
}
