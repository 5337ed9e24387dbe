import { randomBytes } from 'node:crypto';

/** The prefix by which an id tells its kind. */
export const idPrefixes = {
  campaign: 'camp_',
  voucher: 'v_',
  promotion_tier: 'promo_',
  loyalty_tier: 'ltr_',
  reward: 'rew_',
  reward_assignment: 'rewa_',
  earning_rule: 'ern_',
  customer: 'cust_',
  category: 'cat_',
  validation_rule: 'val_',
  validation_rules_assignment: 'asgm_',
  pending_points: 'lopp_',
  brand: 'brd_',
  project: 'proj_',
  role: 'role_',
  user: 'user_',
  activity: 'act_',
  invitation: 'inv_',
} as const;

export type IdKind = keyof typeof idPrefixes;

/** 128 random bits, so that ids of one kind never meet. */
export function newId(kind: IdKind): string {
  return idPrefixes[kind] + randomBytes(16).toString('base64url');
}
