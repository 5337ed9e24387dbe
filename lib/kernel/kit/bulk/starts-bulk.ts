import { keepsFiles } from '#kernel/core/files/access.ts';
import { json } from '#kernel/http/route.ts';
import { startedAction } from './job.ts';

/** The operations that start an action over rows of their body share this description. */
export const startsBulk = {
  files: keepsFiles,
  answers: 'The id of the async action that does the work.',
  reply: json(startedAction, { status: 202 }),
};
