import * as v from 'valibot';
import { managedProjectOr404 } from '#kernel/access/users/manager.ts';
import { described, named } from '#kernel/core/documented.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { newPrefixedId } from '#kernel/core/ids.ts';
import { count, listEnvelope, longText, nullable, object, shortText, wrapList } from '#kernel/core/schema.ts';
import type { Managing } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit, insert, remove } from '#kernel/table/effects.ts';
import { projectKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { read, readChildren } from '#kernel/table/read.ts';
import { type BrandConfiguration, brandConfiguration, brandType } from './brand.ts';
import { brand } from './resource.ts';

/** Manages the brand configuration of a project, which has at most one brand. */

interface Place {
  readonly projectId: string;
  readonly brandingId: string;
}

const words = longText;

/** Optional fields of a body, with their defaults. */
const usual = {
  brand: {
    privacy_policy_url: null,
    terms_of_use_url: null,
    permission_reminder: 'You receive this message because you are a customer of ours.',
    website_url: null,
  },
  address: { state: null },
  contact: { phone: null },
  cockpits: {
    campaigns_overview_enabled: true,
    loyalty_enabled: true,
    gift_cards_enabled: true,
    coupons_enabled: true,
    referrals_enabled: true,
    use_custom_double_opt_in_redirect_url: false,
    theme: 'default',
    custom_double_opt_in_redirect_url: null,
  },
} as const;

const themes = ['blue', 'dark-green', 'default', 'green', 'grey', 'orange', 'purple', 'red'] as const;

const flag = v.optional(v.boolean());

const more = {
  brand: { privacy_policy_url: nullable(words), terms_of_use_url: nullable(words), website_url: nullable(words) },
  cockpits: object({
    campaigns_overview_enabled: flag,
    loyalty_enabled: flag,
    gift_cards_enabled: flag,
    coupons_enabled: flag,
    referrals_enabled: flag,
    use_custom_double_opt_in_redirect_url: flag,
    theme: described(v.optional(v.picklist(themes)), 'The colours of the pages that customers see.'),
    custom_double_opt_in_redirect_url: nullable(words),
  }),
};

const reminder = described(v.optional(words), 'The text that explains to customers why they get messages.');

export const createBrandBody = object({
  brand: object({ name: shortText, permission_reminder: reminder, ...more.brand }),
  address: object({ street: words, city: words, postal: words, state: nullable(words), country: words }),
  contact: object({ email: words, phone: nullable(words) }),
  cockpits: v.optional(more.cockpits, {}),
});

const kept = v.optional(words);

export const updateBrandBody = object({
  brand: v.optional(object({ name: v.optional(shortText), permission_reminder: reminder, ...more.brand }), {}),
  address: v.optional(object({ street: kept, city: kept, postal: kept, state: nullable(words), country: kept }), {}),
  contact: v.optional(object({ email: kept, phone: nullable(words) }), {}),
  cockpits: v.optional(more.cockpits, {}),
});

type Body = v.InferOutput<typeof updateBrandBody>;

export const brandList = named('BrandConfigurationList', listEnvelope(brandConfiguration));

/** Increases with each brand that a request makes, so that one of two simultaneous requests sees the other. */
const guards = projectKind(kinds.brandsGuard, v.object({ revision: count }));

function sent(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Merges sent fields into stored fields. */
function changedBy(before: object, body: Body): Omit<BrandConfiguration, 'id'> {
  const { id: _, ...entries } = brandConfiguration.entries;
  const was: Readonly<Record<string, object>> = Object.fromEntries(Object.entries(before));
  const after = Object.entries(body).map(([part, fields]) => [part, { ...was[part], ...sent(fields) }]);
  return v.parse(v.object(entries), Object.fromEntries(after));
}

/** Creates the brand. 409 `branding_exist` if the project already has a brand. */
export async function createBrand(
  context: Managing,
  projectId: string,
  body: v.InferOutput<typeof createBrandBody>,
): Promise<BrandConfiguration> {
  const { table, now } = context;
  const { id: project } = await managedProjectOr404(context, projectId);
  const item = { id: newPrefixedId(brand.idPrefix, now), ...changedBy(usual, body) };
  return retryOptimistically(table, async () => {
    const key = guards(project);
    const { guard } = await read(table, { guard: key });
    const [before] = await readChildren(table, brand.few, project);
    if (before) {
      const details = 'the project has a brand configuration: change or delete it';
      throw new ServiceError('branding_exist', { details, resource: { id: before.id, type: brandType } });
    }
    const done = await commit(table, [
      insert(brand.few(project, item.id), item),
      change(key, (update) => update.whenStill('revision', guard?.revision).add('revision', 1)),
    ]);
    return done ? item : again;
  });
}

/** Lists the project's brands. A project file may have brought several. */
export async function listBrands(context: Managing, projectId: string) {
  const { id } = await managedProjectOr404(context, projectId);
  return wrapList(await readChildren(context.table, brand.few, id));
}

/** Changes only the sent fields. `null` clears. */
export async function updateBrand(
  context: Managing,
  { projectId, brandingId }: Place,
  body: Body,
): Promise<BrandConfiguration> {
  const { table } = context;
  const { id: project } = await managedProjectOr404(context, projectId);
  return retryOptimistically(table, async () => {
    const key = brand.few(project, brandingId);
    const { before } = await read(table, { before: key });
    if (!before) throw notFound(brandType, brandingId);
    const after = changedBy(before, body);
    const changed = change(key, (update) =>
      update
        .whenThere()
        .whenStill('revision', before.revision)
        .take(after, ['brand', 'address', 'contact', 'cockpits'])
        .add('revision', 1),
    );
    return (await commit(table, [changed])) ? { id: before.id, ...after } : again;
  });
}

export async function deleteBrand(context: Managing, { projectId, brandingId }: Place): Promise<void> {
  const { table } = context;
  const { id: project } = await managedProjectOr404(context, projectId);
  await retryOptimistically(table, async () => {
    const key = brand.few(project, brandingId);
    const { before } = await read(table, { before: key });
    if (!before) throw notFound(brandType, brandingId);
    return (await commit(table, [remove(key, (update) => update.whenThere())])) || again;
  });
}
