import type { SendMail } from '#kernel/core/mail/mail.ts';
import { addOn, lazyWork } from '#kernel/kit/add-on.ts';

interface Outside {
  /** Without it no mail is sent. */
  readonly sendMail?: SendMail | undefined;
}

/** Projects, their keys and users, templates, and schemas of metadata. */
export const adminAddOn = addOn({
  name: 'admin',
  needed: 'only its operations make and delete projects, keys and users',
  operations: ['/management/v1', '/v1/templates', '/v1/metadata-schemas'],
  jobs: ({ sendMail }: Outside) => ({
    'send-invitation': lazyWork(async () =>
      (await import('./management/send-invitation.ts')).sendInvitations(sendMail),
    ),
    'delete-project': lazyWork(async () => (await import('./management/project-deletion.ts')).deleteProjectWork),
  }),
  stack: { queues: ['mail'], files: {} },
  options: ['mail-sender'],
});
