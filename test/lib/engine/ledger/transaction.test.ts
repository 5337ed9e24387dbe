import { expect, test } from 'vitest';
import type { LedgerEntry } from '#engine/ledger/ledger-entry.ts';
import { presentTransaction } from '#engine/ledger/transaction.ts';

const entry: LedgerEntry = {
  id: 'vtx_1',
  type: 'POINTS_ADDITION',
  points: 5,
  balance: 5,
  credited_points: 5,
  sequence: 1,
  voucher_id: 'v_1',
  code: 'ONE',
  source_id: null,
  reason: null,
  about: {},
  created_at: '2026-06-15T12:00:00.000Z',
  group_id: 'grp_1',
  event_source: { channel: 'API' },
  moves: [],
};

const till = { channel: 'API', via: 'Till' };
const page = { channel: 'CLIENT_API' };
const itself = { channel: 'INTERNAL' };

test.each<[what: string, more: Partial<LedgerEntry>, source: string | null, operation: string]>([
  ['added by a till', { event_source: till }, 'Till', 'MANUAL'],
  ['spent at a till', { type: 'POINTS_REDEMPTION', event_source: till }, null, 'MANUAL'],
  ['spent on a page', { type: 'POINTS_REDEMPTION', event_source: page }, null, 'MANUAL'],
  ['spent by a reward that redeems itself', { type: 'POINTS_REDEMPTION', event_source: itself }, null, 'AUTOMATIC'],
  ['earned at a till', { type: 'POINTS_ACCRUAL', event_source: till }, 'Automation', 'AUTOMATIC'],
  ['earned on a page', { type: 'POINTS_ACCRUAL', event_source: page }, 'Automation', 'AUTOMATIC'],
  ['earned by time', { type: 'POINTS_ACCRUAL', event_source: itself }, 'Automation', 'AUTOMATIC'],
  ['activated at a till', { type: 'PENDING_POINTS_ACTIVATION', event_source: till }, null, 'MANUAL'],
  ['activated by time', { type: 'PENDING_POINTS_ACTIVATION', event_source: itself }, 'Automation', 'AUTOMATIC'],
  ['expired', { type: 'POINTS_EXPIRATION', event_source: itself }, 'Automation', 'AUTOMATIC'],
  ['given to a referee', { about: { referral_code: 'REF' }, event_source: till }, 'Automation', 'AUTOMATIC'],
])('points that were %s say whether a person did it', (_, more, source, operation_type) => {
  const shown = presentTransaction({ ...entry, ...more });
  expect([shown.source, shown.details.balance.operation_type]).toEqual([source, operation_type]);
});
