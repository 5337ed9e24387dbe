/**
 * The paths of the public interface, whether they are served here or not, so that a 404 can tell a path that is not
 * served yet from a typo. `{}` is one segment.
 */
const paths = [
  '/v1/async-actions(/{})?',
  '/v1/campaigns(/{}(/(enable|disable|import|importCSV|summary|transactions(/export)?|vouchers(/{})?))?)?',
  '/v1/categories(/{})?',
  '/v1/(customers|products|vouchers)/(bulk|metadata)/async',
  '/v1/customers(/{}(/(activit(y|ies)|permanent-deletion|redeemables|segments))?)?',
  '/v1/events',
  '/v1/exports(/{}(/download)?)?',
  '/v1/locations(/{})?',
  '/v1/loyalties(/{}(/(members|pending-points|points-expiration/export|qualifications|transactions(/export)?))?)?',
  '/v1/loyalties/{}/(earning-rules|reward-assignments|rewards|tiers)(/{}(/(enable|disable|reward|rewards|earning-rules))?)?',
  '/v1/loyalties/({}/)?members/{}(/(activit(y|ies)|balance|points-expiration|redemption|rewards|tiers|transfers))?',
  '/v1/loyalties/({}/)?members/{}/transactions(/export)?',
  '/v1/loyalties/({}/)?members/{}/pending-points(/{}/(activate|balance|cancel))?',
  '/v1/metadata-schemas(/{})?',
  '/v1/oauth/(introspect|token(/revoke)?)',
  '/v1/orders(/{})?',
  '/v1/product-collections(/{}(/products)?)?',
  '/v1/products(/{}(/skus(/{})?)?)?',
  '/v1/promotions/(stacks|tiers|validation)',
  '/v1/promotions/tiers/{}(/(enable|disable|redemption|validation))?',
  '/v1/promotions/{}/(stacks(/{})?|tiers)',
  '/v1/publications(/create)?',
  '/v1/(qualifications|validations)',
  '/v1/redemptions(/{}(/rollbacks?)?)?',
  '/v1/referrals/({}/)?members/{}/holders(/{})?',
  '/v1/rewards(/{}(/assignments(/{})?)?)?',
  '/v1/segments(/{}(/activities)?)?',
  '/v1/skus/{}',
  '/v1/templates/campaigns(/{}(/(campaign|tier)-setup)?)?',
  '/v1/trash-bin(/{})?',
  '/v1/validation-rules(/{}(/assignments(/{})?)?)?',
  '/v1/validation-rules-assignments',
  '/v1/vouchers(/{}(/(enable|disable|balance|redemptions?|publications|sessions/{}|transactions(/export)?|validate))?)?',
  '/v1/assets/(qr|barcode)/{}',
  '/client/v1/(customers|events|publish|qualifications|redeem|redemptions|validate|validations|vouchers)',
  '/client/v1/promotions/(tiers|validation)',
  '/management/v1/projects(/{})?',
  '/management/v1/projects/users(/{}|/invite|/assign)?',
  '/management/v1/projects/{}/(branding|metadata-schemas|stacking-rules|users|webhooks|custom-event-schemas)(/{})?',
  '/management/v1/projects/{}/templates/campaigns(/{}/copy)?',
];

const surface = new RegExp(`^(?:${paths.join('|').replaceAll('{}', '[^/]+')})$`);

export function isOfPublicSurface(path: string): boolean {
  return surface.test(path);
}
