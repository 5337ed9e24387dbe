import { expect, test } from 'vitest';
import { chosenTypes } from '#addons/webhooks/resource.ts';
import { handler as createWebhook } from '../../functions/management/create-webhook.ts';
import { handler as redeem } from '../../functions/vouchers/redeem-voucher.ts';
import { openHearing, openReceiver } from '../support/hearing.ts';
import { coupon } from '../support/lists.ts';

const vouchers = ['A', 'B', 'C'].map((code) =>
  coupon(code, { type: 'AMOUNT', amount_off: 100 }, { active: true, redemption: { quantity: 5 } }),
);

test('a redemption makes the same calls for the same units with ten webhooks for all types as with none', async () => {
  const [{ call, manage, dependencies, settleAll }, receiver] = await Promise.all([
    openHearing({ vouchers }),
    openReceiver(),
  ]);
  const costOf = async (code: string) => {
    const { status } = await call(redeem, { params: { code }, body: { order: { amount: 5_000 } } });
    const { dynamodb_calls, read_units, write_units } = JSON.parse(dependencies.lines.at(-1) ?? '{}');
    return { status, dynamodb_calls, read_units, write_units };
  };
  // The first call also reads the app key and the project.
  await costOf('A');
  const without = await costOf('B');
  for (let index = 0; index < 10; index++) {
    await manage(createWebhook, {}, { target_url: `${receiver.url}/${index}`, events: chosenTypes });
  }
  expect(await costOf('C')).toEqual(without);
  expect(without).toMatchObject({ status: 200, dynamodb_calls: expect.any(Number) });
  await settleAll();
  const told = receiver.heard.filter(
    ({ body }) => body.type === 'redemption.succeeded' && body.data.voucher.code === 'C',
  );
  expect(told).toHaveLength(10);
});
