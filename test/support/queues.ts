/** A function's queue addresses. No queue exists there. */
export const queueEnvironment = {
  GENERATION_QUEUE_URL: 'http://127.0.0.1:1/generation',
  BULK_QUEUE_URL: 'http://127.0.0.1:1/bulk',
  MAIL_QUEUE_URL: 'http://127.0.0.1:1/mail',
  SEGMENTS_QUEUE_URL: 'http://127.0.0.1:1/segments',
  EXPORTS_QUEUE_URL: 'http://127.0.0.1:1/exports',
  EVENTS_QUEUE_URL: 'http://127.0.0.1:1/events',
  WEBHOOKS_QUEUE_URL: 'http://127.0.0.1:1/webhooks',
  DEAD_LETTERS_QUEUE_URL: 'http://127.0.0.1:1/dead-letters',
  SQS_ENDPOINT: 'http://127.0.0.1:1',
};
