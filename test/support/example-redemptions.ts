import type { RedemptionItem } from '#engine/checkout/redemptions/redemption.ts';

/** The ids in the documented examples. */
export const exampleRedemptions = ['r_of_the_example', 'r_of_several', 'r_one_of_several'] as const;

/** Returns redemptions of deleted vouchers, which no project file brings. One of them belongs to no other. */
export function exampleItems(mark = ''): RedemptionItem[] {
  const [single, parent, child] = exampleRedemptions.map((id) => id + mark);
  const some = {
    object: 'redemption',
    // The date is late enough for a rollback at any time of the clock.
    date: '2090-01-01T00:00:00.000Z',
    result: 'SUCCESS',
    status: 'SUCCEEDED',
    channel: { channel_id: 'demo-app', channel_type: 'API' },
  } as const;
  const ofVoucher = {
    ...some,
    related_object_type: 'voucher',
    related_object_id: 'v_gone',
    voucher_code: 'GONE',
  } as const;
  return [
    { ...ofVoucher, id: single ?? '' },
    { ...some, id: parent ?? '', related_object_type: 'redemption', redemptions: [child ?? ''] },
    { ...ofVoucher, id: child ?? '', redemption: parent ?? '' },
  ];
}
