import type { Building } from './building.ts';
import type { Difference } from './differences.ts';
import { activatedOn } from './loyalty-steps.ts';

/** What may differ between a project file and what was built from it over the API, each for a reason. */

export interface Exception {
  readonly name: string;
  readonly reason: string;
  readonly explains: (difference: Difference, building: Building) => boolean;
}

/** Fields by their places without the names of entries; a list alone is an entry that only one of the two has. */
const fields =
  (...patterns: readonly RegExp[]) =>
  ({ field }: Difference) =>
    patterns.some((pattern) => pattern.test(field));

/** Nothing at all, or nothing in any of its fields. `false` says something: of switches that are on without it. */
function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === 0) return true;
  return typeof value === 'object' && Object.values(value).every(isNothing);
}

/** Of the voucher that a place is in. */
const codeIn = (place: string) => place.slice('vouchers['.length, place.lastIndexOf('].'));

const isNew = ({ file }: Difference) => file === undefined;

export const exceptions: readonly Exception[] = [
  {
    name: 'nothing said',
    reason: 'The service keeps 0, null or nothing inside where the file says nothing, which replies show as the same.',
    explains: ({ file, built }) => isNothing(file) && isNothing(built),
  },
  {
    name: 'dates',
    reason: 'What is made is made now, and what is changed is changed now: few requests say when.',
    explains: fields(/\.(created_at|updated_at)$/),
  },
  {
    name: 'ids within',
    reason: 'Lines of an order and referees get their ids from the service, by which no request asks for them.',
    explains: fields(/^orders\.items\.\d+\.id$/, /^referral_holders\.id$/),
  },
  {
    name: 'themes',
    reason: 'Requests take the published themes of brands; files may have others from before.',
    explains: fields(/^brands\.cockpits\.theme$/),
  },
  {
    name: 'what happens',
    reason:
      'Activities are written by the service for what happens; no request brings one, and building makes its own.',
    explains: fields(/^activities$/),
  },
  {
    name: 'how holders came by it',
    reason: 'A holder comes by a publication, which stays; a file may say who holds a voucher and nothing of how.',
    explains: (difference) => fields(/^publications$/, /^vouchers\.publish/)(difference) && isNew(difference),
  },
  {
    name: 'orders of uses',
    reason: 'What a file says was used is used again, on orders that the file does not have.',
    explains: ({ field, place }, { besides }) => field === 'orders' && besides.has(place),
  },
  {
    name: 'products that are only named',
    reason: 'A reward gives a product that is there, where a file may name one that it does not have.',
    explains: ({ field, place }, { besides }) => field === 'products' && besides.has(place),
  },
  {
    name: 'rewards that are assigned twice',
    reason: 'A programme gives a reward once (409 duplicate_found), where a file may assign it again.',
    explains: ({ place }, { repeated }) => repeated.has(place),
  },
  {
    name: 'prices of coins',
    reason:
      'A COIN is paid with any number of points, and a request that says its price is refused; a file may say one.',
    explains: ({ field, built }) => field === 'reward_assignments.parameters' && built === undefined,
  },
  {
    name: 'figures of customers',
    reason: 'Counted from the redemptions, orders and events by which the file was rebuilt; a file may say others.',
    explains: fields(
      /^customers\.(orders|redemptions_succeeded|redeemed|points_redeemed|cards_redeemed|gifts_redeemed)/,
      /^customers\.(summary|loyalty|referrals|credits_redeemed|amount_redeemed|event_counts)/,
    ),
  },
  {
    name: 'history of rewards and tiers',
    reason: 'How often a reward was given, or a promotion applied, is what happened: no request says it.',
    explains: fields(/^rewards\.redeemed$/, /^promotion_tiers\.summary\./),
  },
  {
    name: 'as it was sent',
    reason: 'An order keeps which of its figures were sent; of one of a file, all of them.',
    explains: (difference) => fields(/^orders\.sent$/)(difference) && isNew(difference),
  },
  {
    name: 'defaults of campaigns',
    reason: 'A campaign is made with what holds where nothing is sent, how its codes look among it.',
    explains: (difference) =>
      isNew(difference) && fields(/^campaigns\.voucher\.(code_config|is_referral_code|type$)/)(difference),
  },
  {
    name: 'kinds of promotion',
    reason: 'A PROMOTION has no codes and is STATIC, as the public interface has it; a file may call it otherwise.',
    explains: ({ field, built }) => field === 'campaigns.type' && built === 'STATIC',
  },
  {
    name: 'config of tiers',
    reason: 'Repeats the points of the tier: replies work it out.',
    explains: ({ field, built }) => field === 'loyalty_tiers.config' && built === undefined,
  },
  {
    name: 'standing',
    reason:
      'A member moves to the tier of the balance with the first change of points; a file may not have looked yet.',
    explains: (difference) => fields(/^vouchers\.loyalty_card\.standing$/)(difference) && isNew(difference),
  },
  {
    name: 'points by the month',
    reason: 'Kept of what the card has earned since it was made, for tiers by periods; a file may not say it.',
    explains: (difference) => fields(/^vouchers\.loyalty_card\.earned$/)(difference) && isNew(difference),
  },
  {
    name: 'referrers',
    reason: 'Whoever holds a referral code shares it: replies show the holder as its referrer.',
    explains: ({ field, built }) => field === 'vouchers.referrer_id' && built === undefined,
  },
  {
    name: 'what pending points come from',
    reason: 'Points are pending for an event and a rule, which say when they become points of the card.',
    explains: (difference) =>
      isNew(difference) &&
      fields(
        /^pending_points\.(event|group_id|earning_rule_id|activates_at|expiration_rules|segment|loyalty_tier|holder_loyalty_tier)/,
      )(difference),
  },
  {
    name: 'lots of activated points',
    reason: 'Points that were pending expire by the rules of their programme, whatever lots the file has them in.',
    explains: ({ field, place }, building) =>
      field.startsWith('vouchers.loyalty_card.lots') && activatedOn(building, codeIn(place)) > 0,
  },
];
