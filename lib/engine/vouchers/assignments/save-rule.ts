import * as v from 'valibot';
import { findDocumentFaults } from '#engine/rules/check.ts';
import { findSentFault } from '#engine/rules/formulas/formula.ts';
import { noteNamedCollections } from '#engine/rules/named-collections.ts';
import { contextType, documentType, validationRule } from '#engine/rules/resource.ts';
import { described } from '#kernel/core/documented.ts';
import { joinFaults, notFound, ServiceError } from '#kernel/core/errors.ts';
import { nullable, object, reference } from '#kernel/core/schema.ts';
import type { Reading, Writing } from '#kernel/http/context.ts';
import { itemOr404, saveItem } from '#kernel/kit/resource/item.ts';
import type { Item, Values } from '#kernel/kit/resource/shape.ts';
import { again, readAfterWrite, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit } from '#kernel/table/effects.ts';
import { assignEffects } from './assign.ts';
import { findRelated } from './related-object.ts';
import { countAndShowRule, type createdRule, type ShownValidationRule, showCreatedRule } from './show-rule.ts';

export const createRuleBody = object({
  ...validationRule.createBody.entries,
  type: v.optional(documentType, 'expression'),
  context_type: v.optional(contextType, 'global'),
  voucher: described(
    nullable(reference),
    'The code or id of a voucher that gets the rule immediately, in place of its other rules.',
  ),
});

const priced = v.object({
  included: v.optional(v.array(v.object({ price_formula: v.nullish(v.string()) }))),
});

/** Yields faults of formulas of prices. A stored formula with a fault leaves the plain price, and stays. */
function* priceFaults({ applicable_to }: Values): Generator<string> {
  const sent = v.safeParse(priced, applicable_to);
  for (const [index, { price_formula }] of (sent.success ? (sent.output.included ?? []) : []).entries()) {
    const fault = price_formula?.trim() ? findSentFault(price_formula) : undefined;
    if (fault !== undefined) yield `applicable_to.included[${index}].price_formula ${fault}`;
  }
}

/** Answers 400 `invalid_validation_rules` with every fault. */
function check(document: Values, sent: Values): void {
  const faults = [...findDocumentFaults(document), ...priceFaults(sent)];
  if (faults.length > 0) throw new ServiceError('invalid_validation_rules', { details: joinFaults(faults) });
}

/** Returns the rule as saved, and the effects that save it. `before` is the stored rule, if it exists. Answers 400 for faults. */
export function planRule(context: Pick<Reading, 'project' | 'now'>, before: Item | undefined, sent: Values) {
  const saved = saveItem(context, validationRule, before, sent);
  const document: Values = saved.after;
  check(document, sent);
  return { ...saved, effects: [...saved.effects, ...noteNamedCollections(context.project.id, document)] };
}

/** Creates a rule, and assigns it if the body names a voucher. Answers 404 for a missing voucher. */
export function createValidationRule(
  context: Writing,
  { voucher, ...sent }: v.InferOutput<typeof createRuleBody>,
): Promise<v.InferOutput<typeof createdRule>> {
  const { table } = context;
  return retryOptimistically(table, async () => {
    const { after, effects } = planRule(context, undefined, sent);
    const object = voucher ? await findRelated(context, { type: 'voucher', id: voucher }) : undefined;
    if (voucher && !object) throw notFound('voucher', voucher);
    const more = object ? assignEffects(context, after.id, object, { force: true }).effects : [];
    return (await commit(table, [...effects, ...more])) ? showCreatedRule(after) : again;
  });
}

/** Changes the sent fields, and checks the whole rule after the change. */
export async function updateValidationRule(context: Writing, id: string, body: Values): Promise<ShownValidationRule> {
  const { table } = context;
  const changed = await retryOptimistically(table, async () => {
    const { after, effects } = planRule(context, await itemOr404(context, validationRule, id), body);
    return (await commit(table, effects)) ? after : again;
  });
  return readAfterWrite(() => countAndShowRule(context, changed));
}
