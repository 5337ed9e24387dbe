import { expect, test } from 'vitest';
import { handler as transferHandler } from '../../../../functions/loyalties/transfer-points.ts';
import { caller } from '../../../support/call.ts';
import { card, entry, newClub } from '../../../support/loyalty.ts';
import { halfwayThroughRead, meanwhile } from '../../../support/meanwhile.ts';

/** Lets a read of many items meet the first of two equal transfers when it shows in some of them only. */

const transferring = (headers: Record<string, string>, body: unknown) => (container: Parameters<typeof caller>[1]) =>
  caller(transferHandler, container)({ params: { campaignId: 'camp_club', memberId: 'TO' }, headers, body });
const isCard = (item: object) => JSON.stringify(item).includes('"loyalty_card"') || 'lots' in item;

test('a repeat that meets the card without its points, and not yet what took them, is done as a repeat', async () => {
  const club = await newClub({ vouchers: [card('A', 100), card('TO', 0)] });
  const body = [entry('A', 60)];
  const repeat = transferring(club.project.credentials, body);
  const meets = halfwayThroughRead(1, 'TRANSFER', isCard);
  const reply = await meanwhile(meets, () => club.transfer('TO', body), repeat);
  expect([reply.status, reply.body.loyalty_card?.balance]).toEqual([200, 60]);
  expect([await club.balance('A'), await club.balance('TO')]).toEqual([40, 60]);
});

test('a repeat that meets one of its entries, and not yet the other, is done as a repeat', async () => {
  const club = await newClub({ vouchers: [card('A', 100), card('B', 100), card('TO', 0)] });
  const [first, second] = [entry('A', 60), entry('B', 60)];
  const body = [first, second];
  const repeat = transferring(club.project.credentials, body);
  const isOfFirst = (item: object) => JSON.stringify(item).includes(first.source_id);
  const meets = halfwayThroughRead(1, second.source_id, isOfFirst);
  const reply = await meanwhile(meets, () => club.transfer('TO', body), repeat);
  expect([reply.status, reply.body.loyalty_card?.balance]).toEqual([200, 120]);
  expect([await club.balance('A'), await club.balance('B')]).toEqual([40, 40]);
});
