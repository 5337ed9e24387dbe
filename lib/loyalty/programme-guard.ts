import * as v from 'valibot';
import { campaigns } from '../campaigns/campaign.ts';
import { notFound } from '../core/errors.ts';
import { count } from '../core/schema.ts';
import type { Reading } from '../http/context.ts';
import { change, check, type Effect } from '../table/effects.ts';
import { kind } from '../table/kind.ts';
import { read } from '../table/read.ts';

/**
 * Goes up with whatever changes which tiers and earning rules a programme has: what is decided by reading all of them (how many
 * there may be, which tiers name a rule, whether an event has another rule) still holds when it is written.
 */
const guards = kind('PROGRAMME_GUARD', v.object({ revision: count }));

export type Guard = { revision: number } | undefined;

export const guardKey = guards;

/** To be read before what it guards. */
export async function readGuard({ table, project }: Reading, campaignId: string): Promise<Guard> {
  return (await read(table, { guard: guards(project.id, campaignId) })).guard;
}

/** Refused where others were faster, and with 404 where the programme is gone by then. `name`: what the caller calls it. */
export function guarded(projectId: string, campaignId: string, guard: Guard, name = campaignId): Effect[] {
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
