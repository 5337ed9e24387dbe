import { createHmac } from 'node:crypto';
import type { Project } from '../projects/project.ts';

/** The same for one source id for ever, which can't be found from it. */
export function trackingIdOf(project: Project, sourceId: string): string {
  return `track_${createHmac('sha256', project.trackingKey).update(sourceId).digest('base64')}`;
}
