import { campaigns } from '#engine/campaigns/campaign.ts';
import { promotionTiers } from '#engine/campaigns/promotions/promotion-tier.ts';
import { listCodeIds } from '#engine/ledger/codes/voucher-lists.ts';
import { type RelatedObjectType, rulesOfObject, type ValidationRulesAssignment } from '#engine/rules/assignment.ts';
import type { Reading } from '#kernel/http/context.ts';
import { noteResource } from '#kernel/kit/offers/offer-notes.ts';
import { change, type Effect, insert } from '#kernel/table/effects.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
import { read } from '#kernel/table/read.ts';
import type { Update } from '#kernel/table/update.ts';
import { newVersion } from '#kernel/table/version-copies.ts';
import { versionChanges } from '#kernel/table/version-effects.ts';
import { vouchers } from '../voucher.ts';

/** Describes an object with assigned rules. It keeps its assignments. */
export interface RelatedObject {
  readonly type: RelatedObjectType;
  readonly id: string;
  readonly key: ItemKey;
  readonly assignments: readonly ValidationRulesAssignment[];
  /** True if an item holds the assignments. A voucher, campaign or tier without an item does not exist. */
  readonly isKept: boolean;
}

export interface RelatedName {
  readonly type: RelatedObjectType;
  readonly id: string;
}

type Context = Pick<Reading, 'table' | 'project'>;

interface Kept {
  readonly validation_rules_assignments: readonly ValidationRulesAssignment[];
}

function buildKey(projectId: string, { type, id }: RelatedName) {
  if (type === 'voucher') return vouchers(projectId, id);
  if (type === 'campaign') return campaigns(projectId, id);
  return type === 'promotion_tier' ? promotionTiers(projectId, id) : rulesOfObject(projectId, type, id);
}

function isNamed(name: RelatedName): boolean {
  return ['voucher', 'campaign', 'promotion_tier'].includes(name.type);
}

/** Reads the objects in one call. Returns `undefined` for a deleted voucher, campaign or tier. */
export async function readRelated(
  { table, project }: Context,
  names: readonly RelatedName[],
): Promise<(RelatedObject | undefined)[]> {
  const keys = names.map((name) => buildKey(project.id, name));
  const { items } = await read(table, { items: keys });
  return names.map((name, index) => {
    const item: Kept | undefined = items[index];
    const key = keys[index];
    if (!key || (!item && isNamed(name))) return undefined;
    return { ...name, key, assignments: item?.validation_rules_assignments ?? [], isKept: item !== undefined };
  });
}

/** Finds a voucher by its code or id, and any other object by its id. */
export async function findRelated(context: Context, { type, id }: RelatedName): Promise<RelatedObject | undefined> {
  const ids = type === 'voucher' ? [...listCodeIds(context.project, id), id] : [id];
  const candidates = await readRelated(
    context,
    [...new Set(ids)].map((one) => ({ type, id: one })),
  );
  return candidates.find((one) => one !== undefined);
}

/** Replaces the assignments that were read. The write is refused if another request was faster. */
export function setAssignments(
  { key, type, id, assignments, isKept }: RelatedObject,
  next: readonly ValidationRulesAssignment[],
): Effect[] {
  if (!isKept) return [insert(key, { validation_rules_assignments: next })];
  const isNoted = type === 'campaign' || type === 'promotion_tier';
  const version = isNoted ? newVersion() : undefined;
  return [
    change(key, (update: Update<Kept>) => {
      update.whenThere().set(['validation_rules_assignments'], next);
      if (version) update.set(['version'], version);
      return assignments.length > 0
        ? update.whenStill('validation_rules_assignments', assignments)
        : update.whenUnsetOr('validation_rules_assignments', []);
    }),
    ...(version && type === 'campaign' ? versionChanges(key, version) : []),
    ...(version && isNoted ? noteResource(key.project, type, { id, version }) : []),
  ];
}
