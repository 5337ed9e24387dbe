import * as v from 'valibot';
import { described } from '../../core/documented.ts';
import { detailsOf, notFound, ServiceError } from '../../core/errors.ts';
import { nullable, object, reference } from '../../core/schema.ts';
import type { Reading, Writing } from '../../http/context.ts';
import { found, saving } from '../../kit/resource/item.ts';
import type { Item, Values } from '../../kit/resource/shape.ts';
import { documentFaults } from '../../rules/check.ts';
import { contextType, documentType } from '../../rules/document.ts';
import { namingSaved } from '../../rules/named-collections.ts';
import { validationRule } from '../../rules/resource.ts';
import { again, onceWritten, retryOptimistically } from '../../table/conflicts.ts';
import { commit } from '../../table/effects.ts';
import { assigning } from './assign.ts';
import { findRelated } from './related-object.ts';
import { type ShownRule, showCounted, showRule } from './show-rule.ts';

export const createRuleBody = object({
  ...validationRule.createBody.entries,
  type: v.optional(documentType, 'expression'),
  context_type: v.optional(contextType, 'global'),
  voucher: described(
    nullable(reference),
    'The code or id of a voucher that gets the rule at once, in place of its other rules.',
  ),
});

/** Answers 400 `invalid_validation_rules` with every fault. */
function check(document: Values): void {
  const faults = [...documentFaults(document)];
  if (faults.length > 0) throw new ServiceError('invalid_validation_rules', { details: detailsOf(faults) });
}

function save(context: Pick<Reading, 'project' | 'now'>, before: Item | undefined, sent: Values) {
  const saved = saving(context, validationRule, before, sent);
  const document: Values = saved.after;
  check(document);
  return { ...saved, effects: [...saved.effects, ...namingSaved(context.project.id, document)] };
}

/** Creates a rule, and assigns it if the body names a voucher. Answers 404 for a missing voucher. */
export function createRule(
  context: Writing,
  { voucher, ...sent }: v.InferOutput<typeof createRuleBody>,
): Promise<ShownRule> {
  const { table } = context;
  return retryOptimistically(table, async () => {
    const { after, effects } = save(context, undefined, sent);
    const object = voucher ? await findRelated(context, { type: 'voucher', id: voucher }) : undefined;
    if (voucher && !object) throw notFound('voucher', voucher);
    const more = object ? assigning(context, after.id, object, { force: true }).effects : [];
    return (await commit(table, [...effects, ...more])) ? showRule(after, object ? 1 : 0) : again;
  });
}

/** Changes the sent fields, and checks the whole rule after the change. */
export async function updateRule(context: Writing, id: string, body: Values): Promise<ShownRule> {
  const { table } = context;
  const changed = await retryOptimistically(table, async () => {
    const { after, effects } = save(context, await found(context, validationRule, id), body);
    return (await commit(table, effects)) ? after : again;
  });
  return onceWritten(() => showCounted(context, changed));
}
