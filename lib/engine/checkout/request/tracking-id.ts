import { createHmac } from 'node:crypto';
import type { Project } from '#kernel/access/projects/project.ts';
import type { Calling } from './build-redeemable.ts';
import type { Gathered } from './gather.ts';

/** Returns the tracking id of a source id. It never changes, and does not reveal the source id. */
export function hashTrackingId(project: Project, sourceId: string): string {
  return `track_${createHmac('sha256', project.trackingKey).update(sourceId).digest('base64')}`;
}

/** A hash has 32 bytes. */
const shownForm = /^track_[A-Za-z0-9+/]{43}=$/;

/** Returns the tracking id of a sent `tracking_id`: a source id, or the tracking id that an earlier reply showed. */
export function acceptTrackingId(project: Project, sent: string): string {
  return shownForm.test(sent) ? sent : hashTrackingId(project, sent);
}

/** Returns the tracking id of the customer's source id, or the tracking id that the caller sends instead. */
export function readTrackingId(
  { project }: Calling,
  { asked, customer }: Pick<Gathered, 'asked' | 'customer'>,
): string | undefined {
  if (asked.trackingId) return acceptTrackingId(project, asked.trackingId);
  const sourceId = customer?.after.source_id;
  return sourceId ? hashTrackingId(project, sourceId) : undefined;
}
