import { test } from 'vitest';
import { handler as deleteCustomer } from '../../functions/customers/delete-customer.ts';
import { handler as getCustomer } from '../../functions/customers/get-customer.ts';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validateHandler } from '../../functions/validations/validate-redeemables.ts';
import { handler as remove } from '../../functions/vouchers/delete-voucher.ts';
import { handler as endSession } from '../../functions/vouchers/end-voucher-session.ts';
import { handler as endSessions } from '../../functions/vouchers/end-voucher-sessions.ts';
import { handler as get } from '../../functions/vouchers/get-voucher.ts';
import { type Asked, expectAsInTurn, type Race } from '../support/in-turn.ts';
import { beforeTransaction, beforeWrite } from '../support/meanwhile.ts';
import { coupon, giftCard } from '../support/redeeming.ts';

const used = (redeemed_quantity: number, quantity: number) => ({ redemption: { quantity, redeemed_quantity } });
const once = { name: 'redemption.count.daily', conditions: { $less_than_or_equal: [1] } };
const lists = {
  customers: [{ id: 'cust_ada' }],
  validation_rules: [{ id: 'val_once', name: 'Once', type: 'expression', rules: { 1: once, logic: '1' } }],
  validation_rules_assignments: [
    { id: 'asgm_1', rule_id: 'val_once', related_object_type: 'voucher', related_object_id: 'RULED' },
  ],
  vouchers: [
    coupon('ONE'),
    coupon('LAST', used(19, 20)),
    coupon('RULED', { redemption: { quantity: null, redeemed_quantity: 0 } }),
    giftCard('GIFT', 500),
  ],
};

const body = (code: string, more: object = {}) => ({
  redeemables: [{ object: 'voucher', id: code, ...(code === 'GIFT' ? { gift: { credits: 300 } } : {}) }],
  order: { amount: 1_000 },
  ...more,
});
const session = (key: string) => ({ session: { type: 'LOCK', key } });
const redeemed = (code: string, more: object = {}): Asked => [redeemHandler, { body: body(code, more) }];
const locked = (code: string, key: string): Asked => [validateHandler, { body: body(code, session(key)) }];
const of = (handler: Asked[0], code: string, more: object = {}): Asked => [handler, { params: { code }, ...more }];
const ended = (code: string, sessionKey: string): Asked => [endSession, { params: { code, sessionKey } }];
const ada: Asked = [getCustomer, { params: { customerId: 'cust_ada' } }];
const byAda = { customer: { id: 'cust_ada' } };
const noAda: Asked = [deleteCustomer, { params: { customerId: 'cust_ada' } }];

type Row = [second: string, first: string, code: string, Asked, Asked, Partial<Race>?];
const transaction = { moment: beforeTransaction() };

test.each<Row>([
  ['a use', 'the last', 'ONE', redeemed('ONE'), redeemed('ONE')],
  ['a use', 'the last of many', 'LAST', redeemed('LAST'), redeemed('LAST')],
  ['a use', 'a lock of the last use', 'ONE', redeemed('ONE'), locked('ONE', 'till-1')],
  ['a use', 'a deletion', 'ONE', redeemed('ONE'), of(remove, 'ONE')],
  ['a use', 'a deletion', 'LAST', redeemed('LAST'), of(remove, 'LAST')],
  [
    'a use',
    'all uses that a rule allows',
    'RULED',
    redeemed('RULED'),
    redeemed('RULED'),
    { moment: beforeWrite(1, 'redemption.count') },
  ],
  ['a use', 'use of most credits', 'GIFT', redeemed('GIFT'), redeemed('GIFT')],
  ['a use', 'a lock of most credits', 'GIFT', redeemed('GIFT'), locked('GIFT', 'till-1')],
  ['a use', 'the deletion of its customer', 'ONE', redeemed('ONE', byAda), noAda, { ...transaction, seen: [ada] }],
  ['a lock', 'use of the last one', 'ONE', locked('ONE', 'a'), locked('ONE', 'b'), transaction],
  ['a lock', 'use of the last one', 'LAST', locked('LAST', 'a'), locked('LAST', 'b'), transaction],
  ['a lock', 'the last use', 'ONE', locked('ONE', 'a'), redeemed('ONE'), transaction],
  ['a lock', 'the last use', 'LAST', locked('LAST', 'a'), redeemed('LAST'), transaction],
  ['a lock', 'use of most credits', 'GIFT', locked('GIFT', 'a'), redeemed('GIFT'), transaction],
  ['the end of a session', 'the same', 'ONE', ended('ONE', 'a'), ended('ONE', 'a'), { before: [locked('ONE', 'a')] }],
  ['the end of a session', 'a deletion', 'ONE', ended('ONE', 'a'), of(remove, 'ONE'), { before: [locked('ONE', 'a')] }],
  ['the end of all sessions', 'a deletion', 'ONE', of(endSessions, 'ONE'), of(remove, 'ONE')],
])('%s of a code that meets %s ends as if the other had come first: %s', async (_, __, code, second, first, more) => {
  await expectAsInTurn({ lists, first, second, seen: [of(get, code)], moment: beforeWrite(), ...more });
});
