import { createHmac } from 'node:crypto';
import type { Project } from '../../http/projects/project.ts';
import type { Calling, Gathered } from './gather.ts';

/** The same for one source id for ever, which can't be found from it. */
export function trackingIdOf(project: Project, sourceId: string): string {
  return `track_${createHmac('sha256', project.trackingKey).update(sourceId).digest('base64')}`;
}

/** Of the customer's source id, unless the caller says something else. */
export function trackedAs(
  { project }: Calling,
  { asked, customer }: Pick<Gathered, 'asked' | 'customer'>,
): string | undefined {
  const sourceId = asked.trackingId ?? customer?.after.source_id;
  return sourceId ? trackingIdOf(project, sourceId) : undefined;
}
