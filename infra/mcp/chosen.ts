/** Chooses the operations that agents may call, and describes when a model should choose them. */

export interface Chosen {
  /** Describes when to call the tool. It follows the operation's own summary. */
  readonly when?: string;
  /** The tool changes data. It exists only if the deployment lets agents act. */
  readonly acts?: 'once' | 'again';
  /** The tool makes dry runs of this operation, and says so in its words and title, which differ from the operation's. */
  readonly preview?: { readonly of: string; readonly title: string; readonly note: string };
  /** Names fields of the body that the tool does not offer. */
  readonly leavesOut?: readonly string[];
  /** Names fields of the body that the tool requires, although the operation does not. */
  readonly needs?: readonly string[];
}

const reads = (...names: string[]): [string, Chosen][] => names.map((name) => [name, {}]);

/** Maps operations to the reason for choosing them. Tools appear in this order. */
export const chosenOperations: ReadonlyMap<string, Chosen> = new Map([
  ['get-voucher', { when: 'Call it first for any question about one code.' }],
  ['list-vouchers', { when: 'Call it to find codes of a campaign, a customer or a state.' }],
  ...reads('list-voucher-transactions', 'list-voucher-redemptions', 'list-voucher-publications'),
  ['list-campaigns', { when: 'Call it to learn which campaigns run.' }],
  ...reads('get-campaign'),
  ['get-campaign-summary', { when: 'Call it for what a campaign cost and brought in a period.' }],
  ...reads('list-campaign-transactions'),
  ['list-customers', { when: 'Call it to find a customer by e-mail, name or segment.' }],
  ...reads('get-customer', 'list-customer-redeemables', 'list-customer-segments'),
  ['list-customer-activity', { when: 'Call it for the history of one customer.' }],
  ...reads('list-segments', 'get-segment'),
  ['list-redemptions', { when: 'Call it for what was redeemed, refused or rolled back, and why.' }],
  ...reads('get-redemption', 'list-publications', 'list-orders', 'get-order', 'list-returns'),
  [
    'preview-return',
    {
      when: 'Call it before a return, or for what an order is still worth.',
      preview: {
        of: 'create-return',
        title: 'Preview a return',
        note: 'Says what money, credits and points would go back for units of an order, which earned points would be taken, and which redemptions rolled back. Changes nothing. If credits or points would go back, or a redemption would be rolled back, a token also needs the scope `redemptions`.',
      },
      leavesOut: ['source_id', 'reason', 'metadata'],
    },
  ],
  ...reads('list-products', 'get-product', 'list-product-collections', 'list-collection-products'),
  ...reads('list-promotion-tiers', 'get-promotion-tier', 'list-promotion-stacks'),
  ...reads('list-validation-rules', 'get-validation-rule', 'list-categories'),
  ...reads('list-loyalty-campaigns', 'list-loyalty-tiers', 'list-earning-rules', 'list-reward-assignments'),
  ['get-member', { when: 'Call it for the balance of one loyalty card.' }],
  ...reads('list-member-transactions', 'list-member-tiers', 'list-member-pending-points', 'list-points-expiration'),
  ...reads('list-project-rewards', 'get-reward', 'list-locations', 'list-async-actions', 'get-async-action'),
  ['list-closes', { when: 'Call it for the points that a programme owed at the end of a period.' }],
  ...reads('get-close'),
  ['list-reports', { when: 'Call it for the names and parameters of reports.' }],
  ['make-report', { when: 'Call it for sums of redemptions or points by day or campaign.' }],
  ['qualify', { when: 'Call it to find offers.' }],
  ['discount-cart', { when: 'Call it for a cart of UCP or ACP.' }],
  ['show-loyalty', { when: 'Call it for a cart in the words of UCP.' }],
  ['validate-redeemables', { acts: 'again', when: 'Call it for the effect of codes.' }],
  ['create-publication', { acts: 'once', when: 'Call it to give a customer a code.' }],
  ['adjust-voucher-balance', { acts: 'once', when: 'Call it to correct a balance.' }],
  ['enable-voucher', { acts: 'again' }],
  ['disable-voucher', { acts: 'again', when: 'Call it to stop a code now. It can be enabled again.' }],
  ['enable-campaign', { acts: 'again' }],
  ['disable-campaign', { acts: 'again', when: 'Call it to stop all codes of a campaign now.' }],
  ['rollback-redemption', { acts: 'once', when: 'Call it to undo one redemption.' }],
  [
    'create-return',
    {
      acts: 'once',
      when: 'Call it after preview-return. Send a `source_id`, and the same one again for the same return.',
      leavesOut: ['metadata'],
      needs: ['source_id'],
    },
  ],
]);
