import type { Operation } from '../../infra/operations.ts';
import type { Request } from './api-event.ts';
import { demoCodes, isName, nameIn, otherNames, renamed } from './marked-demo.ts';
import type { World } from './worlds.ts';

/** Makes a request that names one thing of `other` and otherwise only the caller's own. */
export type Way = (own: World, other: World) => Request;

/**
 * Varies the documented example: replaces each name alone and then all names by the other world's. In the path it also
 * tries other kinds of names.
 */
function waysOfExample({ route: { example } }: Operation): [string, Way][] {
  const { params = {}, body, query } = example;
  const found: string[] = [];
  renamed({ params, body }, (text) => {
    if (isName(text)) found.push(text);
    return text;
  });
  const withOther = (own: World, other: World, isOther: (index: number) => boolean): Request => {
    let index = -1;
    const request = renamed({ params, body }, (text) => {
      if (!isName(text)) return text;
      index += 1;
      return nameIn(text, isOther(index) ? other : own);
    });
    return { ...Object(request), ...(query === undefined ? {} : { query }) };
  };
  const byOtherName = Object.entries(params).flatMap(([param, text]): [string, Way][] => {
    const synonym = otherNames.get(text);
    const named = (name: (world: World) => string): Way => {
      return (own, other) => {
        const request = withOther(own, own, () => false);
        return { ...request, params: { ...request.params, [param]: name(other) } };
      };
    };
    return [
      ...(synonym === undefined ? [] : [[`${param} ${synonym}`, named((world) => nameIn(synonym, world))] as const]),
      ...(demoCodes.has(text)
        ? [[`${param} by id`, named((world) => world.voucherId(nameIn(text, world)))] as const]
        : []),
    ].map(([name, way]): [string, Way] => [name, way]);
  });
  return [
    ...found.map((text, place): [string, Way] => [
      `${text} in place ${place}`,
      (own, other) => withOther(own, other, (index) => index === place),
    ]),
    ...(found.length > 1
      ? [['all of them', (own: World, other: World) => withOther(own, other, () => true)] satisfies [string, Way]]
      : []),
    ...byOtherName,
  ];
}

const withToken: Way = (_, { token }) => ({ body: { access_token: token } });
const morning = { campaignId: 'camp_morning' };
const twoBags = { promotionTierId: 'promo_two_bags' };
const toTwoBags = { params: { validationRuleId: 'val_two_bags' }, query: 'force=true' };
const ofOluf = { customerId: 'crm-102' };
const event = (more: object) => ({ body: { event: 'purchase_made', customer: { id: 'cust_oluf' }, ...more } });
const entry = (code: string) => ({ code, points: 1, source_id: 'till-1' });
const aGift = { type: 'GIFT_VOUCHER', gift: { amount: 100 } };
const collection = { type: 'STATIC', name: 'For the pot' };
const crewOfOluf = { campaignId: 'camp_crew', memberId: 'CREW-OLUF' };

/** Requests that the one example of an operation cannot show. The caller's own names are the demo's. */
const moreWays: Readonly<Record<string, Readonly<Record<string, Way>>>> = {
  'introspect-token': { token: withToken },
  'revoke-token': { token: withToken },
  'create-campaign': {
    'category id': (_, { mark }) => ({ body: { category_id: `cat_shelf${mark}` } }),
    rule: (_, { mark }) => ({ body: { validation_rules: [`val_weekday${mark}`] } }),
  },
  'create-voucher': {
    campaign: (_, { mark }) => ({ body: { type: 'GIFT_VOUCHER', campaign: `Gift tins${mark}` } }),
    'campaign id': (_, { mark }) => ({ body: { type: 'GIFT_VOUCHER', campaign_id: `camp_gift${mark}` } }),
    'category id': (_, { mark }) => ({ body: { ...aGift, category_id: `cat_shelf${mark}` } }),
    rule: (_, { mark }) => ({ body: { ...aGift, validation_rules: [`val_weekday${mark}`] } }),
  },
  'create-voucher-with-code': {
    campaign: (_, { mark }) => ({ params: { code: 'TIN-NEW' }, body: { ...aGift, campaign: `Gift tins${mark}` } }),
  },
  'create-reward': {
    campaign: (_, { mark }) => ({
      body: { name: 'Tins', type: 'CAMPAIGN', parameters: { campaign: { id: `camp_gift${mark}`, balance: 20_000 } } },
    }),
  },
  'create-product-collection': {
    product: (_, { mark }) => ({
      body: { ...collection, products: [{ object: 'product', id: `prod_filter${mark}` }] },
    }),
    sku: (_, { mark }) => ({
      body: { ...collection, products: [{ object: 'sku', id: `sku_beans_250${mark}`, product_id: 'prod_beans' }] },
    }),
  },
  'list-vouchers': {
    campaign: (_, { mark }) => ({ query: `campaign=Early+tide${mark}` }),
    'campaign id': (_, { mark }) => ({ query: `campaign_id=camp_morning${mark}` }),
    customer: (_, { mark }) => ({ query: `customer=crm-101${mark}` }),
    category: (_, { mark }) => ({ query: `category=Counter${mark}` }),
    code: (_, { mark }) => ({ query: `code=TIDE-HELLO${mark}&order=code` }),
    id: (_, { mark, voucherId }) => ({ query: `ids[]=${voucherId(`TIDE-HELLO${mark}`)}` }),
    cursor: (_, { mark, voucherId }) => ({ query: `starting_after_id=${voucherId(`TIDE-HELLO${mark}`)}` }),
  },
  'update-voucher': {
    'category id': (_, { mark }) => ({ params: { code: 'TIDE-HELLO' }, body: { category_id: `cat_shelf${mark}` } }),
  },
  'create-validation-rule': {
    voucher: (_, { mark }) => ({ body: { name: 'Late', voucher: `TIDE-ASLEEP${mark}` } }),
  },
  'create-validation-rule-assignment': {
    campaign: (_, { mark }) => ({ ...toTwoBags, body: { campaign: `camp_morning${mark}` } }),
    tier: (_, { mark }) => ({ ...toTwoBags, body: { promotion_tier: `promo_two_bags${mark}` } }),
  },
  'delete-trash-bin-entry': { entry: (_, { binEntryId }) => ({ params: { binEntryId } }) },
  'update-campaign': {
    'category id': (_, { mark }) => ({ params: morning, body: { category_id: `cat_shelf${mark}` } }),
  },
  'update-promotion-tier': {
    rule: (_, { mark }) => ({
      params: twoBags,
      body: { validation_rule_assignments: { data: [{ rule_id: `val_weekday${mark}` }] } },
    }),
    'category id': (_, { mark }) => ({ params: twoBags, body: { category_id: `cat_shelf${mark}` } }),
  },
  'transfer-points': {
    'one source of two': (_, { mark, voucherId }) => ({
      params: crewOfOluf,
      body: [entry('CREW-INGRID'), entry(voucherId(`CREW-SIÂN${mark}`))],
    }),
  },
  'list-customer-activities': {
    cursor: (_, { activity }) => ({ params: { customerId: 'crm-101' }, query: `starting_after_id=${activity}` }),
    'cursor of a file': (_, { mark }) => ({ params: ofOluf, query: `starting_after_id=act_demo_5${mark}` }),
    campaign: (_, { mark }) => ({ params: { customerId: 'crm-101' }, query: `campaign_id=camp_crew${mark}` }),
  },
  'send-event': {
    customer: (_, { mark }) => event({ customer: { id: `cust_oluf${mark}`, metadata: { taken: 'over' } } }),
    'id of the card': (_, { mark, voucherId }) =>
      event({ loyalty: { code: voucherId(`CREW-OLUF${mark}`) }, metadata: { amount: 25_000 } }),
    'referral code': (_, { mark }) => event({ referral: { code: `MATE-INGRID${mark}` } }),
    referrer: (_, { mark }) => event({ referral: { code: 'MATE-INGRID', referrer_id: `cust_oluf${mark}` } }),
    'source id of the referrer': (_, { mark }) =>
      event({ referral: { code: 'MATE-INGRID', referrer_id: `crm-102${mark}` } }),
  },
  'create-order': {
    order: (_, { mark }) => ({ body: { id: `ord_pickup${mark}`, status: 'CANCELED' } }),
    customer: (_, { mark }) => ({ body: { customer: { id: `cust_oluf${mark}`, metadata: { taken: 'over' } } } }),
    "customer's id": (_, { mark }) => ({ body: { customer_id: `crm-102${mark}`, status: 'PAID', amount: 100_000 } }),
    product: (_, { mark }) => ({ body: { items: [{ product_id: `prod_beans${mark}`, product: { override: true } }] } }),
  },
  'list-campaign-promotion-tiers': {
    available: (_, { mark }) => ({ params: { campaignId: `camp_beans${mark}` }, query: 'is_available=true' }),
  },
  // A picture's id is the permission to see it. Another project's name before a part of one's own id opens nothing.
  'get-qr-asset': { project: (own, { project }) => ({ params: { id: own.qr.replace(own.project, project) } }) },
  'get-barcode-asset': {
    project: (own, { project }) => ({ params: { id: own.barcode.replace(own.project, project) } }),
  },
  'invite-user': {
    'one project of two': (own, { project }) => ({
      body: {
        email: 'marit@harbourcoffee.example',
        first_name: 'Marit',
        last_name: 'Solberg',
        projects: { [own.project]: 'ADMIN', [project]: 'ADMIN' },
      },
    }),
  },
};

export const waysOf = (operation: Operation): [string, Way][] => [
  ...waysOfExample(operation),
  ...Object.entries(moreWays[operation.name] ?? {}),
];
