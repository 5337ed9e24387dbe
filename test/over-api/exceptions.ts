import type { Building } from './building.ts';
import type { Difference } from './differences.ts';
import { activatedOn } from './loyalty-steps.ts';

/** Permitted differences between a project file and what was built from it over the API, each with its reason. */

export interface Exception {
  readonly name: string;
  readonly reason: string;
  readonly explains: (difference: Difference, building: Building) => boolean;
}

/** Matches fields by their places without names of entries. A list alone is an entry that only one side has. */
const fields =
  (...patterns: readonly RegExp[]) =>
  ({ field }: Difference) =>
    patterns.some((pattern) => pattern.test(field));

/** Returns whether the value is empty, or has only empty fields. `false` is not empty, because some switches are on by default. */
function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === 0) return true;
  return typeof value === 'object' && Object.values(value).every(isNothing);
}

/** Returns the code of the voucher that a place is in. */
const codeIn = (place: string) => place.slice('vouchers['.length, place.lastIndexOf('].'));

const isNew = ({ file }: Difference) => file === undefined;

export const exceptions: readonly Exception[] = [
  {
    name: 'nothing said',
    reason: 'The service stores 0, null or an empty object for a missing field of the file. Replies show both alike.',
    explains: ({ file, built }) => isNothing(file) && isNothing(built),
  },
  {
    name: 'locations',
    reason: 'The public interface only reads locations. They come by files.',
    explains: ({ field, built }) => field.startsWith('locations') && built === undefined,
  },
  {
    name: 'dates',
    reason: 'The service sets its own dates of creation and change. Few requests name one.',
    explains: fields(/\.(created_at|updated_at)$/),
  },
  {
    name: 'ids within',
    reason: "The service gives ids to an order's lines and to referees. No request names them.",
    explains: fields(/^orders\.items\.\d+\.id$/, /^referral_holders\.id$/),
  },
  {
    name: 'themes',
    reason: 'Requests take the published themes of brands. Files may have older ones.',
    explains: fields(/^brands\.cockpits\.theme$/),
  },
  {
    name: 'activities',
    reason: 'The service writes activities for what happens, and building writes its own. No request brings one.',
    explains: fields(/^activities$/),
  },
  {
    name: 'ways to a holder',
    reason: 'A holder gets a voucher by a publication, which is kept. A file may name only the holder.',
    explains: (difference) => fields(/^publications$/, /^vouchers\.publish/)(difference) && isNew(difference),
  },
  {
    name: 'orders of uses',
    reason: 'Used vouchers and cards are used again, on orders that the file does not have.',
    explains: ({ field, place }, { besides }) => field === 'orders' && besides.has(place),
  },
  {
    name: 'products that are only named',
    reason: 'A reward gives an existing product. A file may name one that it does not have.',
    explains: ({ field, place }, { besides }) => field === 'products' && besides.has(place),
  },
  {
    name: 'rewards that are assigned twice',
    reason: 'A programme gives a reward once (409 duplicate_found). A file may assign it twice.',
    explains: ({ place }, { repeated }) => repeated.has(place),
  },
  {
    name: 'prices of coins',
    reason: 'A COIN takes any number of points, and a request with its price is refused. A file may have a price.',
    explains: ({ field, built }) => field === 'reward_assignments.parameters' && built === undefined,
  },
  {
    name: 'figures of customers',
    reason:
      'The service counts the redemptions, orders and events that rebuilt the file. A file may have other figures.',
    explains: fields(
      /^customers\.(orders|redemptions_succeeded|redeemed|points_redeemed|cards_redeemed|gifts_redeemed)/,
      /^customers\.(summary|loyalty|referrals|credits_redeemed|amount_redeemed|event_counts)/,
    ),
  },
  {
    name: 'history of rewards and tiers',
    reason: 'The service counts what happened. No request says how often a reward was given or a promotion applied.',
    explains: fields(/^rewards\.redeemed$/, /^promotion_tiers\.summary\./),
  },
  {
    name: 'sent figures',
    reason: 'An order keeps the names of the figures that were sent. An order of a file counts all of them as sent.',
    explains: (difference) => fields(/^orders\.sent$/)(difference) && isNew(difference),
  },
  {
    name: 'defaults of campaigns',
    reason: 'A new campaign gets defaults for missing fields, for example the format of its codes.',
    explains: (difference) =>
      isNew(difference) && fields(/^campaigns\.voucher\.(code_config|is_referral_code|type$)/)(difference),
  },
  {
    name: 'kinds of promotion',
    reason: 'A PROMOTION has no codes and is STATIC in the public interface. A file may have another type.',
    explains: ({ field, built }) => field === 'campaigns.type' && built === 'STATIC',
  },
  {
    name: 'config of tiers',
    reason: 'The field repeats the points of the tier, and replies work it out.',
    explains: ({ field, built }) => field === 'loyalty_tiers.config' && built === undefined,
  },
  {
    name: 'standing',
    reason: 'A member moves to the tier of the balance with the first change of points. A file may be older than that.',
    explains: (difference) => fields(/^vouchers\.loyalty_card\.standing$/)(difference) && isNew(difference),
  },
  {
    name: 'points by the month',
    reason:
      'The service keeps what a card has earned since its creation, for tiers by periods. A file may not have it.',
    explains: (difference) => fields(/^vouchers\.loyalty_card\.earned$/)(difference) && isNew(difference),
  },
  {
    name: 'referrers',
    reason: 'The holder of a referral code shares it, and replies show the holder as the referrer.',
    explains: ({ field, built }) => field === 'vouchers.referrer_id' && built === undefined,
  },
  {
    name: 'origin of pending points',
    reason: 'An event and a rule bring pending points, and say when they become points of the card.',
    explains: (difference) =>
      isNew(difference) &&
      fields(
        /^pending_points\.(event|group_id|earning_rule_id|activates_at|expiration_rules|segment|loyalty_tier|holder_loyalty_tier)/,
      )(difference),
  },
  {
    name: 'lots of activated points',
    reason: 'Activated points expire by the rules of their programme. A file may have other lots for them.',
    explains: ({ field, place }, building) =>
      field.startsWith('vouchers.loyalty_card.lots') && activatedOn(building, codeIn(place)) > 0,
  },
];
