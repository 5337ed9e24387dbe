import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { placeTier, promotionTiers } from '#engine/campaigns/promotions/promotion-tier.ts';
import { validationRule } from '#engine/rules/resource.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { choosePart, nameNoted, notedParts, notedVersions, versionPrefix } from '#kernel/kit/offers/offer-notes.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { stripKey } from '#kernel/table/keys.ts';
import { type ItemKey, itemMarks } from '#kernel/table/kind.ts';
import { Table } from '#kernel/table/table.ts';
import { coupon, couponCampaign, passiveSegment } from '../support/lists.ts';
import { sizeOf } from './benchmark.ts';
import { upTo } from './project.ts';
import { putAll } from './tables.ts';

/** Numbers of tiers. The same number fits the cart in both projects, because matching offers do not grow with a shop's offers. */
export const sizes = sizeOf({ trial: [50, 100] as const, usual: [1_000, 10_000] as const });

export const heldVouchers = 200;
export const linesOfCart = 30;
export const standaloneCodes = 40;
const segments = 20;

const token = 'qualify-token-for-local-use-only';
export const headers = { 'x-app-id': 'qualify', 'x-app-token': token };
const day = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();

const off = (amount_off: number) => ({ type: 'AMOUNT', amount_off, effect: 'APPLY_TO_ORDER' });

/** Returns everything except the tiers: the customer, the vouchers held and the cart. */
export function shop() {
  return {
    project: { id: 'proj_qualify', name: 'Qualify' },
    app_keys: [{ app_id: 'qualify', app_token: token, name: 'Shop' }],
    products: upTo(linesOfCart, (index) => ({
      id: `prod_${index}`,
      source_id: `own-${index}`,
      name: 'Tea',
      price: 400,
    })),
    customers: [{ id: 'cust_1', source_id: 'ada', metadata: { vip: true, level: 3 } }],
    segments: upTo(segments, (index) =>
      passiveSegment(`seg_${index}`, `Segment ${index}`, { 'metadata.level': { conditions: { $is: [index] } } }),
    ),
    campaigns: [
      { id: 'camp_tiers', name: 'Tiers', campaign_type: 'PROMOTION', type: 'STATIC' },
      ...upTo(10, (index) => couponCampaign(`camp_${index}`, `Codes ${index}`, off(100 + index))),
    ],
    vouchers: [
      ...upTo(heldVouchers, (index) => ({
        code: `HELD-${index}`,
        type: 'DISCOUNT_VOUCHER',
        campaign_id: `camp_${index % 10}`,
        holder_id: 'cust_1',
        created_at: day(index),
      })),
      ...upTo(standaloneCodes, (index) => coupon(`OPEN-${index}`, off(200 + index), { created_at: day(index) })),
    ],
  };
}

const ofSegment = (id: string) => ({ name: 'customer.segment', conditions: { $is: [id] } });
const ofProduct = (id: string) => ({
  name: 'order.items.any',
  conditions: { $is: [{ id, object: 'product' }] },
  rules: { 1: { name: 'order.items.quantity', conditions: { $more_than_or_equal: [1] } } },
});
const ofAmount = (least: number) => ({ name: 'order.amount', conditions: { $more_than_or_equal: [least] } });

/** Some of every hundred among the first thousand fit, and none of the rest. */
function rulesOf(index: number): Record<string, unknown> {
  const isFar = index >= sizes[0];
  const kind = index % 20;
  if (kind === 0) return { 1: ofAmount(isFar || index % 40 > 0 ? 10_000_000 : 100) };
  if (kind < 4) return { 1: ofSegment(`seg_${isFar ? 4 + (index % 16) : index % segments}`), 2: ofAmount(50) };
  return { 1: ofProduct(`prod_${index}`), 2: ofAmount(100), logic: '1 and 2' };
}

/** Writes tiers with one rule each, as if requests had made them. */
export async function seedTiers(
  client: DynamoDBClient,
  tableName: string,
  project: Project,
  size: number,
): Promise<void> {
  const table = new Table(createDocumentClient(client), tableName, new Date());
  const partKeys = upTo(64, (part) => notedParts(project.id, String(part)));
  const parts = new Map(
    (await table.getMany(partKeys)).map((item, part): [string, Attributes] => [String(part), item ?? {}]),
  );
  const note = (name: string) => {
    const part = parts.get(choosePart(name));
    if (part) Object.assign(part, { [name]: 'seeded', version: 'seeded' });
  };
  const itemOf = (key: ItemKey, item: Attributes) => ({
    ...stripKey(key),
    ...itemMarks(key),
    ...item,
    version: 'seeded',
  });
  const items = upTo(size, (index) => {
    const [id, rule_id, created_at] = [`promo_${index}`, `val_${index}`, day(index * 3)];
    const related = { related_object_id: id, related_object_type: 'promotion_tier', created_at };
    const tier = { id, campaign_id: 'camp_tiers', hierarchy: index + 1, created_at, name: `Tier ${index}` };
    note(nameNoted('promotion_tier', id));
    note(nameNoted('validation_rule', rule_id));
    return [
      itemOf(validationRule.few(project.id, rule_id), {
        ...{ id: rule_id, name: `Rule ${index}`, type: 'expression', context_type: 'global', created_at },
        rules: rulesOf(index),
      }),
      itemOf(promotionTiers(project.id, id), {
        ...tier,
        ...placeTier(project.id, tier),
        action: { discount: off(50 + (index % 400)) },
        validation_rules_assignments: [
          { id: `asgm_${index}`, rule_id, ...related, object: 'validation_rules_assignment' },
        ],
      }),
    ];
  });
  await putAll(client, tableName, items.flat());
  const noted = partKeys.map((key, part) => itemOf(key, parts.get(String(part)) ?? {}));
  const versions = Object.fromEntries(upTo(64, (part) => [versionPrefix + part, 'seeded']));
  await putAll(client, tableName, [...noted, itemOf(notedVersions(project.id), versions)]);
}
