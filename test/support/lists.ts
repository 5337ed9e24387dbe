/** Makes entries for the lists of project files. */

type More = object;

/** Makes a validation rule of conditions that must all be met. */
export function validationRule(id: string, name: string, ...rules: object[]) {
  return { id, name, rules: Object.fromEntries(rules.map((rule, index) => [index + 1, rule])) };
}

export function assignedRule(rule_id: string, related_object_type: string, related_object_id: string) {
  return { rule_id, related_object_type, related_object_id };
}

export function coupon(code: string, discount: object, more: More = {}) {
  return { code, type: 'DISCOUNT_VOUCHER', discount, ...more };
}

/** Makes a segment of the customers who meet all conditions, each in the name of its field. */
export function passiveSegment(id: string, name: string, conditions: object) {
  return { id, name, type: 'passive', filter: { junction: 'and', ...conditions } };
}

export function giftVoucher(code: string, gift: object, more: More = {}) {
  return { code, type: 'GIFT_VOUCHER', gift, ...more };
}

/** Makes a campaign of any kind. */
export function campaignEntry(id: string, name: string, campaign_type: string, more: More = {}) {
  return { id, name, campaign_type, type: 'STATIC', ...more };
}

export function couponCampaign(id: string, name: string, discount: object, more: More = {}) {
  const voucher = { type: 'DISCOUNT_VOUCHER', discount };
  return { id, name, campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', voucher, ...more };
}

export function giftCampaign(id: string, name: string, gift: object, more: More = {}) {
  return { id, name, campaign_type: 'GIFT_VOUCHERS', type: 'STATIC', voucher: { type: 'GIFT_VOUCHER', gift }, ...more };
}

/** Makes an active promotion tier. */
export function promotionTier<T extends More>(fields: T, discount: object) {
  return { active: true, action: { discount }, ...fields };
}

/** Makes a tier of the programme `camp_club`. */
export function loyaltyTier(id: string, name: string, points: { from: number; to?: number }, more: More = {}) {
  return { id, name, campaign_id: 'camp_club', points, ...more };
}

/** Makes an active earning rule of the programme `camp_club`. */
export function earningRule(id: string, event: string, loyalty: object, more: More = {}) {
  return { id, campaign_id: 'camp_club', event, active: true, loyalty, ...more };
}

/** Assigns a reward to the programme `camp_club`. A reward of coins has no price. */
export function assignedReward(id: string, reward_id: string, points?: number, more: More = {}) {
  const price = points === undefined ? {} : { parameters: { loyalty: { points } } };
  return { id, reward_id, related_object_id: 'camp_club', related_object_type: 'campaign', ...price, ...more };
}
