import * as v from 'valibot';

/** Returns a brand's fields without its id, with these types of text. */
export function buildBrandFields<N extends v.GenericSchema, T extends v.GenericSchema>(name: N, words: T) {
  return {
    brand: v.object({
      name,
      privacy_policy_url: v.nullable(words),
      terms_of_use_url: v.nullable(words),
      permission_reminder: words,
      website_url: v.nullable(words),
    }),
    address: v.object({ street: words, city: words, postal: words, state: v.nullable(words), country: words }),
    contact: v.object({ email: words, phone: v.nullable(words) }),
    cockpits: v.object({
      campaigns_overview_enabled: v.boolean(),
      loyalty_enabled: v.boolean(),
      gift_cards_enabled: v.boolean(),
      coupons_enabled: v.boolean(),
      referrals_enabled: v.boolean(),
      use_custom_double_opt_in_redirect_url: v.boolean(),
      theme: words,
      custom_double_opt_in_redirect_url: v.nullable(words),
    }),
  };
}
