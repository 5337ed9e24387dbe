import { expect } from 'vitest';
import { handler as pendingHandler } from '../../../../functions/loyalties/list-campaign-pending-points.ts';
import { caller } from '../../../support/call.ts';
import type { Club, Entry } from '../../../support/loyalty.ts';
import { itemsOf } from '../../../support/outbox.ts';
import {
  cards,
  earnedAtOnce,
  earnedByRising,
  earnedPending,
  joinedWith,
  mugCosts,
  type Story,
  startedWith,
} from './story.ts';

export interface Transfer {
  to: string;
  body: Entry[];
  /** Whether it ever got a 200. */
  done: boolean;
}

/** The answers that the callers got. */
export interface Told {
  atOnce: number;
  pending: number;
  adjusted: number;
  balanced: number;
  transfers: Transfer[];
  redeemed: string[];
  rolledBack: Set<string>;
  joined: Set<string>;
}

export const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Calculates the books of all cards from their initial points and the answers. */
export async function checkBooks({ project, dependencies }: Club, lots: Story['lots'], told: Told) {
  const { transfers, redeemed, rolledBack, joined } = told;
  const items = await itemsOf(project.id, '', dependencies);
  const ofCard = Map.groupBy(items, ({ pk }) => String(pk));
  const found = items
    .filter(({ sk }) => sk === 'VOUCHER')
    .map((item) => cardOf(item, ofCard.get(String(item.pk)) ?? []));
  const entries = found.flatMap(({ entries }) => entries);
  const pointsOf = (type: string) => sum(entries.filter((entry) => entry.type === type).map(({ points }) => points));

  expect(pointsOf('POINTS_TRANSFER_IN') + pointsOf('POINTS_TRANSFER_OUT')).toBe(0);
  const pending = items.filter(({ sk }) => String(sk).startsWith('PENDING_POINTS#'));
  const pendingOf = (...states: string[]) =>
    sum(pending.filter(({ state }) => states.includes(String(state))).map(({ points }) => Number(points)));
  // A member who rises gets points once the rules for that were processed.
  const moved = items.filter(({ sk, dueAt }) => /^(?:LEDGER|ACTIVITY)#/.test(String(sk)) && dueAt === undefined);
  const risen = moved.reduce((count, { type, moves = [] }) => {
    const ofEntry = (moves as { kind: string }[]).filter(({ kind }) => kind === 'upgraded').length;
    return count + ofEntry + (type === 'customer.loyalty.tier.upgraded' ? 1 : 0);
  }, 0);
  expect(pointsOf('POINTS_ACCRUAL')).toBe(told.atOnce * earnedAtOnce + risen * earnedByRising);
  expect(pointsOf('POINTS_REDEMPTION')).toBe(0 - redeemed.length * mugCosts);
  expect(pointsOf('POINTS_REFUND')).toBe(rolledBack.size * mugCosts);
  const [mug] = items.filter(({ kind, id }) => kind === 'REWARD' && id === 'rew_mug');
  expect(mug?.redeemed ?? 0).toBe(redeemed.length - rolledBack.size);
  expect(pointsOf('PENDING_POINTS_ACTIVATION')).toBe(pendingOf('ACTIVATED'));
  expect(pointsOf('POINTS_ADDITION') + pointsOf('POINTS_REMOVAL')).toBe(told.balanced);
  const opening = sum(lots.flat().map(({ points }) => points)) + joined.size * joinedWith;
  // Only these change points.
  const credits = [...earning, 'POINTS_REMOVAL', 'POINTS_REDEMPTION', 'POINTS_REFUND'];
  expect(sum(found.map(({ balance }) => balance))).toBe(opening + sum([...credits, 'POINTS_EXPIRATION'].map(pointsOf)));
  // Pending points are activated or canceled, and all others are listed.
  expect(pendingOf('PENDING', 'ACTIVATED', 'CANCELED')).toBe(
    startedWith * cards.length + told.adjusted + told.pending * earnedPending,
  );
  expect(sum(found.map((one) => one.pending))).toBe(pendingOf('PENDING'));
  const request = { params: { campaignId: 'camp_club' }, headers: project.credentials, query: 'limit=100&order=id' };
  const listed: { id: string }[] = (await caller(pendingHandler, dependencies)(request)).body.data;
  const open = pending.filter(({ state }) => state === 'PENDING').map(({ id }) => String(id));
  expect(listed.map(({ id }) => id)).toEqual(open.sort());
  // A member has one card, however many callers asked for it and however often.
  expect(found).toHaveLength(cards.length + joined.size);
  // Each transaction id took effect once, and only for a transfer that got a 200.
  const out = entries.filter(({ type }) => type === 'POINTS_TRANSFER_OUT').map(outcomeOf);
  const answered = transfers.filter(({ done }) => done).flatMap(({ body }) => body);
  expect(out.sort()).toEqual([...new Set(answered.map(outcomeOf))].sort());
  return found;
}

const earning = ['POINTS_ACCRUAL', 'PENDING_POINTS_ACTIVATION', 'POINTS_ADDITION'];

const outcomeOf = ({ code, source_id, points }: Record<string, unknown> | Entry) =>
  `${code} ${source_id} ${Math.abs(Number(points))}`;

/** Checks a card and its ledger: each entry follows from the previous entry, and all add up to the card's balance. */
function cardOf(item: Record<string, unknown>, beside: readonly Record<string, unknown>[]) {
  const stored = beside.filter(({ sk }) => String(sk).startsWith('LEDGER#'));
  const entries = stored
    .map(({ type, points, balance, sequence, code, source_id, created_at }) => ({
      type: String(type),
      points: Number(points),
      balance: Number(balance),
      sequence: Number(sequence),
      code: String(code),
      month: String(created_at).slice(0, 7),
      source_id,
    }))
    .sort((one, other) => one.sequence - other.sequence);
  let balance = Number(item.opening_balance);
  let credited = balance;
  for (const [index, entry] of entries.entries()) {
    balance += entry.points;
    // Refunded points were credited before.
    credited += entry.type === 'POINTS_REFUND' ? 0 : Math.max(0, entry.points);
    expect([entry.sequence, entry.balance]).toEqual([index + 1, balance]);
    expect(balance).toBeGreaterThanOrEqual(0);
  }
  const lots = item.lots as { points: number; expires: string | null }[];
  expect(sum(lots.map(({ points }) => points))).toBe(balance);
  expect([Number(item.ledger_entries ?? 0), item.credited_points]).toEqual([entries.length, credited]);
  const sumOf = (...types: string[]) =>
    sum(entries.filter(({ type }) => types.includes(type)).map(({ points }) => points));
  const { expired_points: expired = 0, redeemed_points: spent = 0, earned = {} } = item;
  expect([expired, spent]).toEqual([
    Math.abs(sumOf('POINTS_EXPIRATION')),
    Math.abs(sumOf('POINTS_REDEMPTION', 'POINTS_REFUND')),
  ]);
  // The remaining points were taken away or transferred: they are neither left nor expired nor spent.
  expect(credited - balance - Number(expired) - Number(spent)).toBe(0 - sumOf('POINTS_REMOVAL', 'POINTS_TRANSFER_OUT'));
  for (const [month, points] of Object.entries(earned as Record<string, number>)) {
    const own = entries.filter((entry) => entry.month === month && earning.includes(entry.type));
    expect([month, points]).toEqual([month, sum(own.map(({ points }) => points))]);
  }
  const pending = beside.filter(({ sk, state }) => String(sk).startsWith('PENDING_POINTS#') && state === 'PENDING');
  expect(item.pending_points).toBe(sum(pending.map(({ points }) => Number(points))));
  const forEver = sum(lots.filter(({ expires }) => expires === null).map(({ points }) => points));
  return { balance, entries, pending: Number(item.pending_points), forEver };
}
