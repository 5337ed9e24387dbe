import { classifyEvent } from '#engine/ledger/earning-events.ts';
import { ruleType } from '#engine/rules/assignment.ts';
import { validationRule } from '#engine/rules/resource.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { read } from '#kernel/table/read.ts';

/** Returns the context of validation rules for the event. */
function contextOf(event: string): string {
  const kind = classifyEvent(event);
  if (kind === 'order') return 'earning_rule.order.paid';
  if (kind === 'custom') return 'earning_rule.custom_event';
  return `earning_rule.${event.replace('customer.loyalty.', 'customer.')}`;
}

/** Checks a validation rule. 404 if it is missing, and 400 if no such event can ever meet it. */
export async function checkRuleContext(
  { table, project }: Reading,
  event: string,
  id: string | null | undefined,
): Promise<void> {
  if (!id) return;
  const { rule } = await read(table, { rule: validationRule.few(project.id, id) });
  if (!rule) throw notFound(ruleType, id);
  const wanted = contextOf(event);
  const { context_type } = rule;
  if (context_type === wanted || context_type === 'global') return;
  throw new ServiceError('invalid_payload', {
    details: `validation_rule_id must name a rule of the context ${wanted}, or global`,
    resource: { id, type: ruleType },
  });
}
