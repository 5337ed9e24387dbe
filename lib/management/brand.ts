import * as v from 'valibot';
import { notFound } from '../errors.ts';
import { text } from '../schema.ts';
import { keys } from '../table.ts';
import { findManagedProject, type ManagementContext } from './manager.ts';

const nullableText = v.nullable(text);

/** Contract, "Brand configuration", without its id. */
export const brandAttributes = {
  brand: v.object({
    name: text,
    privacy_policy_url: nullableText,
    terms_of_use_url: nullableText,
    permission_reminder: text,
    website_url: nullableText,
  }),
  address: v.object({
    street: text,
    city: text,
    postal: text,
    state: nullableText,
    country: text,
  }),
  contact: v.object({ email: text, phone: nullableText }),
  cockpits: v.object({
    campaigns_overview_enabled: v.boolean(),
    loyalty_enabled: v.boolean(),
    gift_cards_enabled: v.boolean(),
    coupons_enabled: v.boolean(),
    referrals_enabled: v.boolean(),
    use_custom_double_opt_in_redirect_url: v.boolean(),
    theme: text,
    custom_double_opt_in_redirect_url: nullableText,
  }),
} as const;

/** As stored and as shown. */
export const brandConfiguration = v.object({ id: text, ...brandAttributes });

export type BrandConfiguration = v.InferOutput<typeof brandConfiguration>;

/** Contract, endpoint 7. */
export async function getBrand(
  context: ManagementContext,
  { projectId, brandingId }: { projectId: string; brandingId: string },
): Promise<BrandConfiguration> {
  const project = await findManagedProject(context, projectId);
  if (!project) throw notFound('project', projectId);
  const brand = await context.table.get(keys.brand(project.id, brandingId), brandConfiguration);
  if (!brand) throw notFound('brand', brandingId);
  return brand;
}
