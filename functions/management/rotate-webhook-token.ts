import { operation } from '../../lib/http/operation.ts';
import { rotatedToken, rotateTokenBody, rotateWebhookToken } from '../../lib/publishing/webhooks/token.ts';

export const handler = operation(
  {
    route: 'POST /management/v1/projects/{projectId}/webhook-token/rotate',
    caller: 'management',
    summary: "Replace the project's token that signs webhooks",
    note: 'The token before it signs for 24 hours more, unless `keep_previous` is `false`.',
    body: rotateTokenBody,
    answers: 'The new token, and the one before it.',
    reply: rotatedToken,
    errors: ['not_found'],
    example: { params: { projectId: 'proj_demo' }, body: {} },
  },
  (call) => rotateWebhookToken(call, call.params.projectId, call.body),
);
