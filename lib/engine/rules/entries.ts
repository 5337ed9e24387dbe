import * as v from 'valibot';
import { dateTime, identifier, reference } from '#kernel/core/schema.ts';
import { describeList, refer } from '#kernel/kit/entries/list.ts';
import type { Making } from '#kernel/kit/entries/traits.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import {
  assignmentKey,
  placeRuleAssignment,
  rulesOfObject,
  storedRules,
  validationRulesAssignment,
} from './assignment.ts';

const assignment = v.object({
  id: v.optional(identifier),
  rule_id: reference,
  /** The rule was deleted. The object cannot be used until the assignment is removed. */
  rule_deleted: v.optional(v.boolean()),
  related_object_id: reference,
  related_object_type: validationRulesAssignment.entries.related_object_type,
  created_at: v.optional(dateTime),
});

type Entry = v.InferOutput<typeof assignment>;

/** Lists of objects with assignments. A voucher is named by its code, or by its id in replies. */
const owners: Readonly<Record<Entry['related_object_type'], { list: string; by?: readonly string[] } | undefined>> = {
  campaign: { list: 'campaigns' },
  promotion_tier: { list: 'promotion_tiers' },
  voucher: { list: 'vouchers', by: ['code', 'id'] },
  earning_rule: { list: 'earning_rules' },
  reward_assignment: { list: 'reward_assignments' },
  distribution: undefined,
};

const withItem: readonly string[] = ['campaign', 'promotion_tier', 'voucher'];

/** Returns the stored assignment, with the id of its object. */
function assignmentOf(
  { rule_id, related_object_type: type, related_object_id: named, created_at }: Entry,
  making: Making,
) {
  const id =
    type === 'campaign' ? making.idOf('campaigns', named) : type === 'voucher' ? making.voucherId(named) : undefined;
  return {
    id: making.id,
    rule_id,
    related_object_id: id ?? named,
    related_object_type: type,
    created_at: created_at ?? making.firstLoadedAt,
    object: 'validation_rules_assignment' as const,
  };
}

const stored = v.optional(v.array(v.looseObject({ rule_id: v.string(), related_object_type: v.string() })), []);
const holder = v.looseObject({ validation_rules_assignments: stored });

export const ruleAssignmentEntries = describeList('validation_rules_assignments', assignment, {
  called: 'validation rules assignment',
  names: ['id'],
  prefix: 'asgm_',
  shown: v.object({ ...validationRulesAssignment.entries, updated_at: v.nullable(dateTime) }),
  references({ rule_id, rule_deleted, related_object_type: type, related_object_id }) {
    const owner = owners[type];
    return [
      rule_deleted ? [] : refer('rule_id', 'validation_rules', rule_id),
      owner ? refer('related_object_id', owner.list, related_object_id, owner.by) : [],
    ];
  },
  items(entry, making) {
    const one = assignmentOf(entry, making);
    const { related_object_type: type, related_object_id } = one;
    return [
      { key: assignmentKey(making.projectId, one), item: placeRuleAssignment(making.projectId, one) },
      ...(withItem.includes(type)
        ? []
        : [
            {
              key: rulesOfObject(making.projectId, type, related_object_id),
              item: { validation_rules_assignments: [one] },
            },
          ]),
    ];
  },
  part: {
    named: ({ related_object_type, related_object_id }) => [related_object_type, related_object_id],
    of(entry, making) {
      const value = assignmentOf(entry, making);
      return { owner: value.related_object_type, id: value.related_object_id, value };
    },
  },
  kinds: [kinds.campaign, kinds.promotionTier, kinds.voucher, rulesOfObject.kind],
  needs: (item, projectId) =>
    v.parse(holder, item).validation_rules_assignments.map(({ rule_id }) => storedRules(projectId, rule_id)),
  entries: (item, _, { projectId, at }) =>
    v.parse(holder, item).validation_rules_assignments.map((one) => ({
      ...one,
      // The id of a voucher differs in every table.
      ...(one.related_object_type === 'voucher' ? { related_object_id: item.code } : {}),
      ...(at(storedRules(projectId, one.rule_id)) ? {} : { rule_deleted: true }),
    })),
});
