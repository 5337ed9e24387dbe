import { eventsByTime, webhookEvents } from '#addons/webhooks/delivery.ts';
import { payloadFile } from '#addons/webhooks/envelope.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { walkList } from '#kernel/table/listing.ts';
import { readItemsOf } from '#kernel/table/read.ts';
import type { Erasing } from './erase-jobs.ts';
import { eraseFields } from './erase-records.ts';
import type { Naming } from './naming.ts';
import { listFieldsToErase } from './personal-data.ts';

const atOnce = 25;

/** Returns whether a payload has a text that identifies the person alone. Others may share a name. */
function isAbout(content: string, { isNamed }: Naming): boolean {
  let isFound = false;
  JSON.parse(content, (_, value) => {
    isFound ||= typeof value === 'string' && isNamed(value);
    return value;
  });
  return isFound;
}

/**
 * Erases a person from the payloads of events for webhooks. Events of the deletion itself may arrive later, so a
 * further walk of the job finds them.
 */
export async function eraseEvents({ context, files, person, isTimeUp }: Erasing): Promise<'done' | 'time'> {
  const { table, project } = context;
  for await (const batch of splitIntoBatches(walkList(table, eventsByTime, [project.id]), atOnce)) {
    if (isTimeUp()) return 'time';
    for (const event of await readItemsOf(table, webhookEvents, batch)) {
      if (!event) continue;
      const { id, data, file } = event;
      const content = file === undefined ? data : await files.read(payloadFile(project.id, file));
      if (content === undefined || !isAbout(content, person)) continue;
      if (file !== undefined) await files.remove(payloadFile(project.id, file));
      await eraseFields(context, webhookEvents(project.id, id), listFieldsToErase('WEBHOOK_EVENT'));
    }
  }
  return 'done';
}
