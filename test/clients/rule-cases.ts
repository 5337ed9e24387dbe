import { expect } from 'vitest';
import { answeredBy, type Case, type Client, list } from './case.ts';

const newRule = (name: string) => ({
  name,
  rules: { '1': { name: 'order.amount', conditions: { $more_than: [100] } }, logic: '1' },
});

async function assignedRule(client: Client) {
  const { id } = await client.validationRules.create(newRule('Assigned'));
  const gift = { type: 'GIFT_VOUCHER', gift: { amount: 100, balance: 100 } } as const;
  const { code = '' } = await client.vouchers.create(gift);
  return { id, made: await client.validationRules.createAssignment(id, { voucher: code }) };
}

/** Rows for the client's methods about validation rules and their assignments. */
export const ruleCases: Record<string, Case> = {
  'validationRules.create': answeredBy('create-validation-rule', async (client) => {
    const made = await client.validationRules.create(newRule('By the client'));
    expect(made).toMatchObject({ ...newRule('By the client'), object: 'validation_rules' });
  }),
  'validationRules.get': answeredBy('get-validation-rule', async (client) => {
    const found = await client.validationRules.get('val_two_bags');
    expect(found).toMatchObject({ name: 'At least two bags of beans' });
  }),
  'validationRules.update': answeredBy('update-validation-rule', async (client) => {
    const { id } = await client.validationRules.create(newRule('To be changed'));
    const changed = await client.validationRules.update({ id, name: 'Changed' });
    expect(changed).toMatchObject({ ...newRule('Changed'), id });
  }),
  'validationRules.delete': answeredBy('delete-validation-rule', async (client) => {
    const { id } = await client.validationRules.create(newRule('Gone soon'));
    await client.validationRules.delete(id);
    await expect(client.validationRules.get(id)).rejects.toMatchObject({ code: 404 });
  }),
  'validationRules.list': answeredBy('list-validation-rules', async (client) => {
    const { data, ...rest } = await client.validationRules.list({ limit: 1 });
    expect(rest).toMatchObject(list);
    expect(data).toHaveLength(1);
  }),
  'validationRules.createAssignment': answeredBy('create-validation-rule-assignment', async (client) => {
    const { id, made } = await assignedRule(client);
    expect(made).toMatchObject({ rule_id: id, related_object_type: 'voucher' });
  }),
  'validationRules.deleteAssignment': answeredBy('delete-validation-rule-assignment', async (client) => {
    const { id, made } = await assignedRule(client);
    await client.validationRules.deleteAssignment(id, made.id);
    expect(await client.validationRules.listAssignments(id)).toMatchObject({ data: [] });
  }),
  'validationRules.listAssignments': answeredBy('list-validation-rule-assignments', async (client) => {
    const { data } = await client.validationRules.listAssignments('val_two_bags');
    expect(data).toMatchObject([{ id: 'asgm_beans', related_object_id: 'promo_two_bags' }]);
  }),
  'validationRules.listRulesAssignments': answeredBy('list-validation-rules-assignments', async (client) => {
    const found = await client.validationRules.listRulesAssignments({ related_object_id: 'camp_morning' });
    expect(found).toMatchObject({ ...list, data: [{ id: 'asgm_morning', rule_id: 'val_weekday' }] });
  }),
};
