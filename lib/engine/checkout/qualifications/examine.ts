import * as v from 'valibot';
import { campaignItem, campaigns } from '#engine/campaigns/campaign.ts';
import { campaign, presentCampaign } from '#engine/campaigns/campaign-reply.ts';
import { readCategories } from '#engine/rules/categories/resource.ts';
import { showVouchers } from '#engine/vouchers/present-voucher.ts';
import { voucher } from '#engine/vouchers/voucher.ts';
import { described, named, shownAs } from '#kernel/core/documented.ts';
import { newTimedId } from '#kernel/core/ids.ts';
import { dateTime, listEnvelope, object, wrapList } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import { sentBoolean } from '#kernel/http/page.ts';
import { read } from '#kernel/table/read.ts';
import type { Calling } from '../request/build-redeemable.ts';
import { copyScope } from '../request/show-redeemable.ts';
import { scopeList } from '../request/shown-redeemable.ts';
import { readTrackingId } from '../request/tracking-id.ts';
import { qualificationBody } from './body.ts';
import type { Candidate } from './candidate.ts';
import { evaluateCandidate, type Qualified } from './evaluate.ts';
import { type Looked, lookThrough } from './qualify.ts';
import { plans } from './scenario.ts';

/** Handles the older examinations of standalone codes and campaigns. They examine the newest, and show those that qualify. */

const { customer, order, tracking_id, metadata, session } = qualificationBody.entries;

export const examinationBody = object({ customer, order, tracking_id, metadata, session });

type Body = v.InferOutput<typeof examinationBody>;

/** Limits the examined and shown candidates. */
const mostLookedAt = 50;

const upToFifty = shownAs(
  v.pipe(v.string(), v.regex(/^(?:[1-9]|[1-4]\d|50)$/, 'must be an integer from 1 to 50'), v.transform(Number)),
  { type: 'integer', minimum: 1, maximum: mostLookedAt },
);

function queryOf<const O extends string>(orders: readonly O[]) {
  const both = orders.flatMap((one) => [one, `-${one}` as const]);
  return v.object({
    audienceRulesOnly: described(
      v.optional(sentBoolean, 'false'),
      'Says whether only rules about the customer are evaluated.',
    ),
    limit: described(v.optional(upToFifty, String(mostLookedAt)), 'The maximum number of entries in the reply.'),
    order: described(
      v.optional(v.picklist(both)),
      'The field to sort by. A leading dash means descending. Without it, the newest come first.',
    ),
  });
}

export const voucherExaminationQuery = queryOf(['created_at', 'updated_at', 'code']);
export const campaignExaminationQuery = queryOf(['created_at', 'updated_at', 'code', 'type', 'category', 'campaign']);

type Query = v.InferOutput<typeof campaignExaminationQuery>;

const scopes = { applicable_to: v.optional(scopeList), inapplicable_to: v.optional(scopeList) };
const beside = { id: v.string(), created_at: dateTime, tracking_id: v.optional(v.string()) };

export const examinedVouchers = named(
  'ExaminedVouchers',
  v.object({ ...listEnvelope(v.object({ ...voucher.entries, ...scopes })).entries, ...beside }),
);
export const examinedCampaigns = named(
  'ExaminedCampaigns',
  v.object({ ...listEnvelope(v.object({ ...campaign.entries, ...scopes })).entries, ...beside }),
);

async function lookedThrough(context: Calling, body: Body, { audienceRulesOnly }: Query): Promise<Looked> {
  return lookThrough(context, body, {
    plan: plans[audienceRulesOnly ? 'AUDIENCE_ONLY' : 'ALL'],
    from: undefined,
    most: mostLookedAt,
    areCodesShown: true,
    isWalletShown: false,
    isWalletWhole: false,
    filters: undefined,
    withCategories: false,
  });
}

function qualifying({ candidates, ground }: Looked, wanted: Candidate['object']): Qualified[] {
  return candidates
    .filter(({ object: own }) => own === wanted)
    .slice(0, mostLookedAt)
    .flatMap((candidate) => evaluateCandidate(candidate, ground) ?? []);
}

function scopesOf({ outcome }: Qualified) {
  if (!outcome) return {};
  const { applicable_to, inapplicable_to } = outcome;
  return { applicable_to: copyScope(applicable_to), inapplicable_to: copyScope(inapplicable_to) };
}

/** Sorts candidates without a value last, in either direction. */
function inOrder<T>(
  all: readonly T[],
  order: string | undefined,
  at: (one: T, field: string) => string | undefined,
): T[] {
  const wanted = order ?? '-created_at';
  const sign = wanted.startsWith('-') ? -1 : 1;
  const field = wanted.replace('-', '');
  return all.toSorted((one, other) => {
    const [a, b] = [at(one, field), at(other, field)];
    if (a === b) return 0;
    if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
    return a < b ? -sign : sign;
  });
}

function envelope<T>(context: Calling, { asked, person }: Looked, data: T[]) {
  const tracking = readTrackingId(context, { asked, customer: person.customer });
  return {
    ...wrapList(data),
    id: newTimedId('validation', context.now),
    created_at: context.now.toISOString(),
    ...(tracking === undefined ? {} : { tracking_id: tracking }),
  };
}

/** Lists the standalone codes without a holder that qualify. */
export async function examineVouchers(context: Calling & Showing, body: Body, query: Query) {
  const looked = await lookedThrough(context, body, query);
  const found = qualifying(looked, 'voucher').flatMap((one) => {
    const item = one.candidate.target.voucher;
    return item ? [{ one, item }] : [];
  });
  const fields = (item: (typeof found)[number]['item']): Record<string, string | undefined> => ({
    created_at: item.created_at,
    updated_at: item.updated_at ?? undefined,
    code: item.code,
  });
  const page = inOrder(found, query.order, ({ item }, field) => fields(item)[field]).slice(0, query.limit);
  const shown = await showVouchers(
    context,
    page.map(({ item }) => item),
  );
  const scopesBy = new Map(page.map(({ one, item }) => [item.id, scopesOf(one)]));
  return envelope(
    context,
    looked,
    shown.map((item) => ({ ...item, ...scopesBy.get(item.id) })),
  );
}

/** Lists the campaigns that give codes and qualify, each judged as one of its codes. */
export async function examineCampaigns(context: Calling & Showing, body: Body, query: Query) {
  const { table, project } = context;
  const looked = await lookedThrough(context, body, query);
  const qualified = qualifying(looked, 'campaign');
  const [{ items }, categories] = await Promise.all([
    read(table, { items: qualified.map(({ candidate }) => campaigns(project.id, candidate.id)) }),
    readCategories(
      context,
      qualified.map(({ candidate }) => candidate.campaign?.category_id),
    ),
  ]);
  const found = qualified.flatMap((one, index) => {
    const item = items[index];
    return item
      ? [{ one, shown: presentCampaign({ project }, { item: v.parse(campaignItem, item), categories }) }]
      : [];
  });
  const fields = ({ created_at, updated_at, campaign_type, category, name }: (typeof found)[number]['shown']) => ({
    created_at,
    updated_at: updated_at ?? undefined,
    type: campaign_type,
    category: category ?? undefined,
    campaign: name,
  });
  const page = inOrder(found, query.order, ({ shown }, field) => {
    const values: Record<string, string | undefined> = fields(shown);
    return values[field];
  });
  return envelope(
    context,
    looked,
    page.slice(0, query.limit).map(({ one, shown }) => ({ ...shown, ...scopesOf(one) })),
  );
}
