import { expect, onTestFinished, test } from 'vitest';
import { connectService } from '../../../infra/operator/smoke/service.ts';
import { serveReplies } from '../../support/served-replies.ts';

test('a smoke test follows no redirect, so that its token reaches no other host', async () => {
  const third = await serveReplies(() => ({ json: {} }));
  const leading = await serveReplies(() => ({
    status: 307,
    headers: { location: `${third.url}/v1/orders` },
    json: {},
  }));
  onTestFinished(async () => {
    await Promise.all([third.close(), leading.close()]);
  });
  const service = connectService(new URL(leading.url), { 'x-app-id': 'id', 'x-app-token': 'secret' });
  expect((await service.send('POST /v1/orders', { body: {} })).status).toBe(307);
  expect(third.asked).toEqual([]);
});
