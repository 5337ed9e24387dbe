import * as v from 'valibot';
import { campaigns } from '#engine/campaigns/campaign.ts';
import { notFound } from '#kernel/core/errors.ts';
import { count } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { change, check, type Effect } from '#kernel/table/effects.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { read } from '#kernel/table/read.ts';

/**
 * Increases with every change of a programme's tiers and earning rules. It guards decisions that depend on all of them: their number, the
 * tiers that name a rule, or other rules of an event.
 */
const guards = kind(kinds.programmeGuard, v.object({ revision: count }));

export type Guard = { revision: number } | undefined;

export const guardKey = guards;

/** Reads the guard. It must be read before the guarded items. */
export async function readGuard({ table, project }: Reading, campaignId: string): Promise<Guard> {
  return (await read(table, { guard: guards(project.id, campaignId) })).guard;
}

/**
 * Returns the effect that requires the guard. It is refused if another request was faster, with 404 if the programme was deleted. `name` is
 * the caller's name for it.
 */
export function requireGuard(projectId: string, campaignId: string, guard: Guard, name = campaignId): Effect[] {
  const key = guards(projectId, campaignId);
  const revision = (guard?.revision ?? 0) + 1;
  return [
    change(key, (update) => update.whenStill('revision', guard?.revision).set(['revision'], revision)),
    check(
      campaigns(projectId, campaignId),
      (update) => update.whenThere(),
      () => notFound('campaign', name),
    ),
  ];
}
