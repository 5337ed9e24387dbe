import { expectValues, readPath, readText, recallValue, type Step, step, Unexpected } from './step.ts';

const order = { amount: 20_000 };
const usesAtOnce = 20;
const limitOfShared = 10;

const redeemable = (id: string) => [{ object: 'voucher', id }];

/** These steps prove that the till enforces its limits. They use the code that was published before. */
export const tillSteps: Step[] = [
  step('POST /v1/validations', 'the rule refuses a small cart', async ({ call }, walk) => {
    const body = { redeemables: redeemable(recallValue(walk, 'code')), order: { amount: 500 } };
    expectValues(await call('POST /v1/validations', 200, { body }), {
      valid: false,
      'inapplicable_redeemables.0.result.error.key': 'order_rules_violated',
    });
  }),
  step('POST /v1/validations', 'a session locks the code', async ({ call }, walk) => {
    const session = { type: 'LOCK', key: walk.name, ttl: 5, ttl_unit: 'MINUTES' };
    const body = { redeemables: redeemable(recallValue(walk, 'code')), order, session };
    expectValues(await call('POST /v1/validations', 200, { body }), {
      valid: true,
      'order.total_discount_amount': 2_000,
    });
  }),
  step('POST /v1/redemptions', 'another session is refused', async ({ call }, walk) => {
    const body = { redeemables: redeemable(recallValue(walk, 'code')), order };
    expectValues(await call('POST /v1/redemptions', 400, { body }), { key: 'quantity_exceeded' });
  }),
  step(
    'POST /v1/redemptions',
    'the session redeems: order, redemption, activity and counts in one transaction',
    async ({ call }, walk) => {
      const { name } = walk;
      const session = { type: 'LOCK', key: name };
      const customer = { source_id: name };
      const body = { redeemables: redeemable(recallValue(walk, 'code')), order, session, customer };
      const reply = await call('POST /v1/redemptions', 200, { body });
      expectValues(reply, { 'redemptions.0.result': 'SUCCESS', 'order.total_amount': 18_000 });
      walk.ids.set('redemption', readText(reply, 'redemptions.0.id'));
      walk.ids.set('order', readText(reply, 'order.id'));
    },
  ),
  step('POST /v1/redemptions/{redemptionId}/rollback', 'the rollback gives the use back', async ({ call }, walk) => {
    const reply = await call(`POST /v1/redemptions/${recallValue(walk, 'redemption')}/rollback`, 200, { body: {} });
    expectValues(reply, { result: 'SUCCESS' });
  }),
  step(
    'GET /v1/campaigns/{campaignId}/summary',
    'the stream’s second worker counts the redemption and its rollback',
    async ({ until }, walk) => {
      const counts = ['redemptions_succeeded', 'rollbacks_succeeded'];
      const isCounted = (body: unknown) => counts.every((name) => readPath(body, name) === 1);
      await until(`GET /v1/campaigns/${recallValue(walk, 'campaign')}/summary`, isCounted);
    },
  ),
  step('GET /v1/vouchers/{code}', 'the code can be used once more', async ({ call }, walk) => {
    const reply = await call(`GET /v1/vouchers/${encodeURIComponent(recallValue(walk, 'code'))}`, 200);
    expectValues(reply, { 'redemption.redeemed_quantity': 0 });
    walk.ids.set('picture', readText(reply, 'assets.qr.url'));
  }),
  step('POST /v1/vouchers/{code}', `a code with ${limitOfShared} uses is created`, async ({ call }, { name }) => {
    const discount = { type: 'AMOUNT', amount_off: 500 };
    const body = { type: 'DISCOUNT_VOUCHER', discount, redemption: { quantity: limitOfShared } };
    expectValues(await call(`POST /v1/vouchers/${encodeURIComponent(name)}`, 200, { body }), { code: name });
  }),
  step(
    'POST /v1/redemptions',
    `${limitOfShared} of ${usesAtOnce} parallel calls redeem the code, and the others get the reason`,
    async ({ call }, { name }) => {
      const body = { redeemables: redeemable(name), order };
      const redeem = async () => {
        const done = await call('POST /v1/redemptions', 200, { body }).catch((error: unknown) => error);
        return done instanceof Error ? done.message : 'done';
      };
      const answers = await Promise.all(Array.from({ length: usesAtOnce }, redeem));
      const done = answers.filter((answer) => answer === 'done').length;
      const other = answers.find((answer) => answer !== 'done' && !answer.includes('quantity_exceeded'));
      if (other !== undefined) throw new Unexpected(other);
      if (done !== limitOfShared) throw new Unexpected(`${done} calls redeemed a code with ${limitOfShared} uses`);
    },
  ),
  step('POST /v1/qualifications', 'the service says what a customer could use', async ({ call }, { name }) => {
    const body = { customer: { source_id: name }, order, mode: 'BASIC' };
    const reply = await call('POST /v1/qualifications', 200, { body });
    if (readPath(reply.body, 'redeemables.object') !== 'list') throw new Unexpected('redeemables is not a list');
  }),
];
