import * as v from 'valibot';
import { managedProjectOr404 } from '#kernel/access/users/manager.ts';
import { named } from '#kernel/core/documented.ts';
import { notFound } from '#kernel/core/errors.ts';
import { text } from '#kernel/core/schema.ts';
import type { Managing } from '#kernel/http/context.ts';
import { read } from '#kernel/table/read.ts';
import { buildBrandFields } from './brand-fields.ts';
import { brand } from './resource.ts';

/** The name in errors. */
export const brandType = 'branding_details';

/** A brand in replies. */
export const brandConfiguration = named('BrandConfiguration', v.object({ id: text, ...buildBrandFields(text, text) }));

export type BrandConfiguration = v.InferOutput<typeof brandConfiguration>;

export async function getBrand(
  context: Managing,
  { projectId, brandingId }: { projectId: string; brandingId: string },
): Promise<BrandConfiguration> {
  const project = await managedProjectOr404(context, projectId);
  const { found } = await read(context.table, { found: brand.few(project.id, brandingId) });
  if (!found) throw notFound(brandType, brandingId);
  return found;
}
