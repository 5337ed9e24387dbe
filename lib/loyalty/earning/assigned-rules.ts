import type { Reading } from '../../http/context.ts';
import { rulesOfObject } from '../../rules/assignment.ts';
import { type Kept, KeptValues } from '../../table/kept.ts';
import { read } from '../../table/read.ts';

/** Which validation rules earning rules have to meet. */

/** Their ids, by the id of the earning rule. */
export type AssignedRules = ReadonlyMap<string, readonly string[]>;

export const noneAssigned: AssignedRules = new Map();

const keptAssigned = new KeptValues<readonly string[]>();

/** In one call, of those that the container has not kept. */
export async function readAssigned(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  ids: readonly string[],
  kept: Kept,
): Promise<AssignedRules> {
  const readOne = async (id: string) => {
    const { found } = await read(table, { found: rulesOfObject(project.id, 'earning_rule', id) });
    return (found?.validation_rules_assignments ?? []).map(({ rule_id }) => rule_id);
  };
  const all = await Promise.all(ids.map((id) => keptAssigned.get(kept, id, () => readOne(id))));
  return new Map(ids.map((id, index) => [id, all[index] ?? []]));
}

/** What the container has last seen: a good guess at what is to be read beside a programme, never what is judged by. */
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

/** The rules of these campaigns that waited for the event when the container was last asked. */
export function guessedWaiting(context: Reading, campaignIds: readonly string[], event: string): string[] {
  const known = seenBy(context);
  return campaignIds.flatMap((id) => known.get(nameOf(context, id, event)) ?? []);
}
