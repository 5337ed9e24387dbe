import type { Reading } from '../context.ts';
import { rulesOfObject } from '../rules/assignment.ts';
import { read } from '../table/read.ts';

/** Which validation rules earning rules have to meet. */

/** Their ids, by the id of the earning rule. */
export type AssignedRules = ReadonlyMap<string, readonly string[]>;

export const noneAssigned: AssignedRules = new Map();

/** In one call. */
export async function readAssigned({ table, project }: Reading, ids: readonly string[]): Promise<AssignedRules> {
  const { kept } = await read(table, { kept: ids.map((id) => rulesOfObject(project.id, 'earning_rule', id)) });
  return new Map(
    ids.map((id, index) => [id, (kept[index]?.validation_rules_assignments ?? []).map(({ rule_id }) => rule_id)]),
  );
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
