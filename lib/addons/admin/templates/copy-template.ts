import type * as v from 'valibot';
import { managedProjectOr404 } from '#kernel/access/users/manager.ts';
import { described } from '#kernel/core/documented.ts';
import { identifier, longText, nullable, object, reference } from '#kernel/core/schema.ts';
import type { Managing } from '#kernel/http/context.ts';
import { itemOr404, saveItem } from '#kernel/kit/resource/item.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit } from '#kernel/table/effects.ts';
import { campaignTemplate } from './resource.ts';
import { listTemplates, type ShownTemplate, showTemplate, type templatesListed } from './show-template.ts';

export const copyTemplateBody = object({
  name: identifier,
  destination_project_id: described(
    reference,
    'The project that gets the template. The manager must have access to it.',
  ),
  description: nullable(longText),
});

interface Place {
  readonly projectId: string;
  readonly templateId: string;
}

/**
 * Copies a template to another project. Its resources are created there at the first setup. Answers 404 for a missing template or project,
 * and 409 for a name in use.
 */
export async function copyTemplate(
  context: Managing,
  { projectId, templateId }: Place,
  { destination_project_id, name, description }: v.InferOutput<typeof copyTemplateBody>,
): Promise<ShownTemplate> {
  const { table, now } = context;
  const project = await managedProjectOr404(context, projectId);
  const before = await itemOr404({ table, project }, campaignTemplate, templateId);
  const destination = await managedProjectOr404(context, destination_project_id);
  // The ids of the originals have no meaning in another project, or a different meaning.
  const own = destination.id === project.id ? { links: before.links, source: before.source } : {};
  const { campaign_type, content } = before;
  const fields = { name, description: description ?? before.description, campaign_type, content, ...own };
  return retryOptimistically(table, async () => {
    const { after, effects } = saveItem({ project: destination, now }, campaignTemplate, undefined, fields);
    return (await commit(table, effects)) ? showTemplate(after) : again;
  });
}

/** Lists the templates of a project for its manager. */
export async function listManagedTemplates(
  context: Managing,
  projectId: string,
  query: v.InferOutput<typeof templatesListed.query>,
) {
  const { table, now } = context;
  return listTemplates({ table, now, project: await managedProjectOr404(context, projectId) }, query);
}
