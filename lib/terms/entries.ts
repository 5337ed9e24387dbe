import * as v from 'valibot';
import { list, refer } from '../entries/list.ts';
import { dateTime, identifier, reference } from '../schema.ts';
import { validationRulesAssignment } from './validation-rules-assignment.ts';

const assignment = v.object({
  id: v.optional(identifier),
  rule_id: reference,
  related_object_id: reference,
  related_object_type: validationRulesAssignment.entries.related_object_type,
  created_at: v.optional(dateTime),
});

/** The lists of what may have assignments. A voucher is named by its code, or by the id that a reply shows. */
const owners = {
  campaign: { list: 'campaigns' },
  promotion_tier: { list: 'promotion_tiers' },
  voucher: { list: 'vouchers', by: ['code', 'id'] },
} as const;

const stored = v.optional(v.array(v.looseObject({ related_object_type: v.string() })), []);

export const validationRulesAssignments = list('validation_rules_assignments', assignment, {
  called: 'validation rules assignment',
  names: ['id'],
  prefix: 'asgm_',
  shown: validationRulesAssignment,
  references({ rule_id, related_object_type: type, related_object_id }) {
    const owner: { list: string; by?: readonly string[] } = owners[type];
    return [
      refer('rule_id', 'validation_rules', rule_id),
      refer('related_object_id', owner.list, related_object_id, owner.by),
    ];
  },
  part: {
    named: ({ related_object_type, related_object_id }) => [related_object_type, related_object_id],
    of({ rule_id, related_object_type: type, related_object_id: named, created_at }, making) {
      const ids = {
        campaign: making.idOf('campaigns', named),
        promotion_tier: named,
        voucher: making.voucherId(named),
      };
      const id = ids[type] ?? named;
      const value = {
        id: making.id,
        rule_id,
        related_object_id: id,
        related_object_type: type,
        created_at: created_at ?? making.firstLoadedAt,
        object: 'validation_rules_assignment',
      };
      return { owner: type, id, value };
    },
  },
  kinds: ['CAMPAIGN', 'PROMOTION_TIER', 'VOUCHER'],
  // A voucher's id is another in every table.
  entries: ({ validation_rules_assignments, code }) =>
    v
      .parse(stored, validation_rules_assignments)
      .map((one) => (one.related_object_type === 'voucher' ? { ...one, related_object_id: code } : one)),
});
