import { expect, test } from 'vitest';
import { handler as getAction } from '../../functions/async-actions/get-async-action.ts';
import { handler as importIntoCampaign } from '../../functions/campaigns/import-campaign-vouchers.ts';
import { caller } from '../support/call.ts';
import { runOutbox } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';
import { isLong } from '../support/sampled.ts';

/** `LONG_TESTS=1 IMPORT_ROWS=100000` takes four minutes on a quiet machine. Without `LONG_TESTS` a test ends after five minutes. */
const rows = Number(process.env.IMPORT_ROWS ?? (isLong ? 20_000 : 1_000));

test(`a body of ${rows} codes is imported to its last row`, async () => {
  const { id, credentials: headers } = await loadProject({
    campaigns: [
      {
        ...{ id: 'camp_1', name: 'One', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' },
        voucher: {
          type: 'DISCOUNT_VOUCHER',
          discount: { type: 'AMOUNT', amount_off: 100 },
          redemption: { quantity: 1 },
        },
      },
    ],
  });
  const body = Array.from({ length: rows }, (_, index) => ({ code: `C-${index}` }));
  const started = await caller(importIntoCampaign)({ headers, params: { campaignId: 'camp_1' }, body });
  expect(started.status).toBe(202);
  await runOutbox(id);
  const params = { asyncActionId: started.body.async_action_id };
  const { body: done } = await caller(getAction)({ headers, params });
  expect(done).toMatchObject({ status: 'DONE', result: { done_count: rows, failed_count: 0 } });
});
