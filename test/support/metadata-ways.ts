/** Lists every way in for metadata: the places of an operation's body, or of its query, by the operation. */

type Steps = string;

const order = [
  'order.metadata',
  'order.items.0.metadata',
  'order.items.0.product.metadata',
  'order.items.0.sku.metadata',
];
const checkout = [...order, 'metadata', 'customer.metadata'];
const ownOrder = ['metadata', 'items.0.metadata', 'items.0.product.metadata', 'customer.metadata', 'referrer.metadata'];

/** The places that the operation checks. An array means that the operation accepts the work, and rows fail. */
export const metadataWays: Readonly<Record<string, readonly Steps[]>> = {
  'add-voucher-with-code': ['metadata'],
  'add-vouchers': ['metadata'],
  'create-campaign': ['metadata'],
  'update-campaign': ['metadata'],
  'create-loyalty-campaign': ['metadata'],
  'update-loyalty-campaign': ['metadata'],
  'create-earning-rules': ['0.metadata'],
  'update-earning-rule': ['metadata'],
  'create-loyalty-tiers': ['0.metadata'],
  'create-promotion-tier': ['metadata'],
  'update-promotion-tier': ['metadata'],
  'set-up-campaign': ['metadata'],
  'set-up-promotion-tier': ['metadata'],
  'create-voucher': ['metadata'],
  'create-voucher-with-code': ['metadata'],
  'update-voucher': ['metadata'],
  'create-customer': ['metadata'],
  'update-customer': ['metadata'],
  'send-event': ['customer.metadata'],
  'add-member': ['metadata', 'customer.metadata'],
  'create-publication': ['metadata', 'customer.metadata'],
  'create-order': ownOrder,
  'update-order': ['metadata'],
  'create-product': ['metadata'],
  'update-product': ['metadata'],
  'create-sku': ['metadata'],
  'update-sku': ['metadata'],
  'create-reward': ['metadata'],
  'update-reward': ['metadata'],
  'redeem-redeemables': checkout,
  'redeem-voucher': checkout,
  'redeem-promotion-tier': checkout,
  'redeem-member-reward': [...order, 'metadata'],
  'redeem-campaign-member-reward': [...order, 'metadata'],
  'rollback-redemption': ['metadata'],
  'rollback-redemptions': ['metadata'],
  'validate-redeemables': checkout,
  'validate-voucher': checkout,
  'validate-promotions': checkout,
  'validate-promotion-tier': checkout,
  qualify: [...order, 'customer.metadata'],
  'examine-campaigns': [...order, 'customer.metadata'],
  'examine-vouchers': [...order, 'customer.metadata'],
  'redeem-from-page': ['metadata'],
  'redeem-promotion-tier-from-page': ['metadata'],
  'redeem-voucher-from-page': ['metadata'],
};

/** Operations that only accept work. Their rows fail. */
export const metadataRows: Readonly<Record<string, readonly Steps[]>> = {
  'import-campaign-vouchers': ['0.metadata'],
  'import-vouchers': ['0.metadata'],
  'update-customers-in-bulk': ['0.metadata'],
  'update-customers-metadata': ['metadata'],
  'update-products-in-bulk': ['0.metadata'],
  'update-products-metadata': ['metadata'],
  'update-vouchers-in-bulk': ['0.metadata'],
  'update-vouchers-metadata': ['metadata'],
};

/** Operations whose metadata no schema of a resource describes, or has no effect. */
export const notAWay: Readonly<Record<string, string>> = {
  'assign-holders': 'the metadata is of the assignment of a holder',
  'assign-campaign-holders': 'the metadata is of the assignment of a holder',
  'send-client-event': 'the metadata is of the event, and browsers send none of customers here',
  'validate-from-page': 'the metadata of a page has no effect',
  'qualify-from-page': 'the metadata of a page has no effect',
  'publish-from-page': 'browsers send no metadata',
  'create-customer-from-page': 'the metadata is stored only by a switch, see the test of browsers',
  'validate-promotions-from-page': 'the metadata of the query has no effect',
  'validate-voucher-from-page': 'the metadata of the query has no effect',
  'estimate-points': 'nothing is stored, and no rule sees metadata that it would refuse',
  'create-return': 'returns have no schema',
  'import-orders': 'see the test of imports',
  'create-publication-by-query': 'see the test of queries',
};
