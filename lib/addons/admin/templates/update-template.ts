import * as v from 'valibot';
import { identifier, longText, nullable, object } from '#kernel/core/schema.ts';
import type { Writing } from '#kernel/http/context.ts';
import { updateResource } from '#kernel/kit/resource/operations.ts';
import { campaignTemplate } from './resource.ts';
import type { ShownTemplate } from './show-template.ts';

export const updateTemplateBody = object({ name: v.optional(identifier), description: nullable(longText) });

/** Changes the name and the description. Answers 404 for a missing template, and 409 for a name in use. */
export function updateTemplate(
  context: Writing,
  id: string,
  body: v.InferOutput<typeof updateTemplateBody>,
): Promise<ShownTemplate> {
  return updateResource(context, campaignTemplate, id, body);
}
