import { createHmac } from 'node:crypto';
import type { Project } from '../../http/projects/project.ts';
import type { Calling, Gathered } from './gather.ts';

/** Returns the tracking id of a source id. It is the same for ever, and does not reveal the source id. */
export function trackingIdOf(project: Project, sourceId: string): string {
  return `track_${createHmac('sha256', project.trackingKey).update(sourceId).digest('base64')}`;
}

/** Returns the customer's tracking id, unless the caller sends another one. */
export function trackedAs(
  { project }: Calling,
  { asked, customer }: Pick<Gathered, 'asked' | 'customer'>,
): string | undefined {
  const sourceId = asked.trackingId ?? customer?.after.source_id;
  return sourceId ? trackingIdOf(project, sourceId) : undefined;
}
