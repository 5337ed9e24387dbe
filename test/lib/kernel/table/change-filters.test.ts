import { describe, expect, test } from 'vitest';
import { totalsConsumer } from '#kernel/table/count-totals.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { buildFilters, type StreamRecord } from '#kernel/table/stream.ts';
import { listConsumers, streamFilters } from '#registry.ts';
import { matchesFilter } from '../../../../infra/local/event-filter.ts';
import { house } from '../../../house/sources.ts';
import { type Image, releasedImages as items, lifeOf } from '../../../support/changes.ts';

const passes = (record: StreamRecord) => streamFilters.some((filter) => matchesFilter(filter, record));

const kindOf = (item: Image) => (item.sk?.S ?? '').split('#')[0] ?? '';
const wanted = new Set(listConsumers().flatMap((one) => one.kinds));

describe('the filters of the stream', () => {
  test('are at most five plain filters of keys, within the limits of Lambda', () => {
    expect(streamFilters.length).toBeGreaterThan(0);
    expect(streamFilters.length).toBeLessThanOrEqual(5);
    for (const filter of streamFilters) {
      expect(JSON.stringify(filter).length).toBeLessThanOrEqual(4_096);
      expect(Object.keys(filter)).toEqual(['dynamodb']);
      expect(Object.keys(filter.dynamodb)).toEqual(['Keys']);
    }
    expect(JSON.stringify(streamFilters)).not.toMatch(/\$or|eventName|exists|anything-but/);
  });

  test('pass every record of a kind that a consumer wants, and no record of another kind', () => {
    for (const kind of Object.values(kinds)) {
      for (const sk of [kind, `${kind}#`, `${kind}#id_1`]) {
        for (const record of lifeOf({ pk: { S: 'p#PARENT#1' }, sk: { S: sk } })) {
          expect([sk, passes(record)]).toEqual([sk, wanted.has(kind)]);
        }
      }
    }
    for (const record of items.flatMap(lifeOf)) {
      const kind = kindOf(record.dynamodb?.Keys ?? {});
      expect([kind, passes(record)]).toEqual([kind, wanted.has(kind)]);
    }
  });

  test('pass nothing that the readers write themselves', () => {
    for (const own of [kinds.total, kinds.counted, kinds.campaignDay, kinds.countedLog])
      expect(wanted).not.toContain(own);
  });

  test('pass every item of the first index of lists, whose writes the alarm of a silent stream watches', () => {
    // A bin entry is written with the removal of its object, and an event of a webhook with its deliveries.
    const alone = items.filter(
      (item) => item.gsi1pk && !['BIN_ENTRY', 'WEBHOOK_EVENT', 'POINTS_CLOSE'].includes(kindOf(item)),
    );
    expect(alone.map(kindOf).filter((kind) => !wanted.has(kind))).toEqual([]);
    expect(alone.length).toBeGreaterThan(10);
  });

  test('leave out a kind that no consumer names', () => {
    const [filter] = buildFilters([{ kinds: ['TILL'] }]);
    expect(filter).toEqual({ dynamodb: { Keys: { sk: { S: ['TILL', { prefix: 'TILL#' }] } } } });
  });
});

describe('totals', () => {
  /** The kinds whose items are in each counted list. Lists of resources are counted in their first order. */
  const kindsOfLists: Readonly<Record<string, readonly string[]>> = {
    HOLDINGS: [kinds.heldCard, kinds.heldVoucher, kinds.referee],
    PUBLICATIONS_BY_CREATION: [kinds.publication],
    CUSTOMERS_BY_CREATION: [kinds.customer],
    SEGMENT_MEMBERS: [kinds.segmentMember],
    REWARD_ASSIGNMENTS: [kinds.rewardAssignment],
    VOUCHERS_BY_CREATION: [kinds.voucher],
    VOUCHERS_OF_CAMPAIGN: [kinds.voucher],
    RULES_ASSIGNMENTS: [kinds.validationRulesAssignment],
    RULES_ASSIGNMENTS_OF_RULE: [kinds.validationRulesAssignment],
    RULES_ASSIGNMENTS_OF_OBJECT: [kinds.validationRulesAssignment],
    REDEMPTIONS_BY_CREATION: [kinds.redemption],
    REDEMPTIONS_OF_CAMPAIGN: [kinds.redemption],
    CAMPAIGNS_BY_CREATION: [kinds.campaign],
    PROMOTION_TIERS_BY_RANK: [kinds.promotionTier],
    PROMOTION_TIERS_OF_CAMPAIGN: [kinds.promotionTier],
    EXPORTS_BY_CREATION: [kinds.job],
  };
  const resources = [kinds.order, 'PRODUCT'];

  test('want the kinds of every counted list', () => {
    const declared = house.flatMap(({ text }) =>
      [...text.matchAll(/'([A-Z_]+)', \{[^}]*\bcounted: true\b/g)].map(([, name = '']) => name),
    );
    expect(declared.toSorted()).toEqual(Object.keys(kindsOfLists).toSorted());
    const all = new Set([...Object.values(kindsOfLists).flat(), ...resources]);
    expect(totalsConsumer.kinds.toSorted()).toEqual([...all].toSorted());
  });

  test('want the kind of every item of the release that is in a counted list', () => {
    const counted = items.filter((item) => Object.values(item).some(({ S = '' }) => S.split('#')[1] === 'COUNTED'));
    expect(new Set(counted.map(kindOf))).toEqual(
      new Set(counted.map(kindOf).filter((kind) => totalsConsumer.kinds.includes(kind))),
    );
  });
});
