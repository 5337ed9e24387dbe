import * as v from 'valibot';

/** Describes what browsers may do and see in a project. */

const maxClientMetadata = 100;

/**
 * Metadata keys that replies to browsers show. By default they show none, because any caller can act like a browser.
 */
export const clientMetadata = v.pipe(
  v.array(v.pipe(v.string(), v.minLength(1, 'must not be empty'))),
  v.maxLength(maxClientMetadata, `must have at most ${maxClientMetadata} entries`),
);

/**
 * Decides what browsers may do with client keys. Such a key is public, so changes and personal data are off by default
 * (docs/browser.md#pages).
 */
export const clientSwitches = v.object({
  /** Lets browsers list promotion tiers. */
  listing: v.optional(v.boolean(), true),
  /** Lets browsers send custom events. */
  events: v.optional(v.boolean(), false),
  /** Lets browsers count referral conversions by custom events. */
  referrals: v.optional(v.boolean(), false),
  /** Lets browsers publish vouchers of campaigns with `client_publication`. */
  publication: v.optional(v.boolean(), false),
  /** Lets browsers redeem. */
  redemption: v.optional(v.boolean(), false),
  /** Lets browsers create customers, also with a redemption, a publication or an event. */
  customers: v.optional(v.boolean(), false),
  /** Stores `metadata` of customers that browsers create. */
  customer_metadata: v.optional(v.boolean(), false),
  /** Lets browsers list the codes of a customer. */
  wallet: v.optional(v.boolean(), false),
});

export type ClientSwitches = v.InferOutput<typeof clientSwitches>;
export type ClientSwitch = keyof ClientSwitches;
