import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startQueueService } from '../../../infra/local/queue-service.ts';

test('files are there again after a restart on the same folder, and are gone when their time is over', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-'));
  const at = (area: 'exports' | 'parts', place: string) => ({ area, projectId: 'proj_1', place });
  const [file, part] = [at('exports', 'exp_1.csv'), at('parts', 'exp_1/1')];
  const kind = { name: 'vouchers é.csv', type: 'text/csv' };
  const first = await startQueueService(folder);
  await first.files.put({ ...part, ...kind, content: 'replaced' });
  await first.files.put({ ...part, ...kind, content: 'Code\nÅ\n' });
  await first.files.join({ ...file, ...kind }, [part]);
  await first.files.remove(part);
  await first.stop();

  const second = await startQueueService(folder);
  const reply = await fetch(await second.files.link(file));
  expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([200, 'text/csv', 'Code\nÅ\n']);
  expect(reply.headers.get('content-disposition')).toContain('vouchers%20%C3%A9.csv');
  await expect(second.files.read(part)).rejects.toThrow();
  await second.stop();

  const kept = join(folder, 'files');
  const longAgo = new Date(Date.now() - 91 * 86_400_000);
  for (const each of await readdir(kept)) await utimes(join(kept, each), longAgo, longAgo);
  const third = await startQueueService(folder);
  await expect(third.files.read(file)).rejects.toThrow();
  await third.stop();
  await rm(folder, { recursive: true });
});
