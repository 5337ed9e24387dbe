import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { handler as voucherHandler } from '../../../../../functions/vouchers/get-voucher.ts';
import { caller } from '../../../../support/call.ts';
import type { Command } from '../../../../support/client.ts';
import { uniqueId } from '../../../../support/dependencies.ts';
import { credentialsOf, loadCutOff, loadFile, projectFile } from '../../../../support/project.ts';
import { everyItemOf } from './every-item.ts';

type File = Record<string, unknown> & ReturnType<typeof projectFile>;

/** The example of the format, under another project and other keys. */
async function acme(): Promise<File> {
  const file = JSON.parse(await readFile(new URL('../../../../support/acme.json', import.meta.url), 'utf8'));
  const id = uniqueId('proj_');
  return {
    ...file,
    project: { ...file.project, id },
    app_keys: file.app_keys.map((key: { app_id: string }) => ({ ...key, app_id: `${id}-${key.app_id}` })),
    management_keys: [{ management_id: `${id}-ops`, management_token: 'token-of-an-operator' }],
  };
}

describe('a project file with every key of the format', () => {
  let file: File;
  beforeAll(async () => {
    file = await acme();
    await loadFile(file);
  });

  test("is served: every voucher by code and by id, with the file's values", async () => {
    const get = caller(voucherHandler);
    const headers = credentialsOf(file);
    const vouchers = file.vouchers as Record<string, unknown>[];
    for (const voucher of vouchers) {
      const { status, body } = await get({ params: { code: String(voucher.code) }, headers });
      expect(status).toBe(200);
      const { loyalty_card, campaign_id, campaign, start_date, expiration_date, ...plain } = voucher;
      expect(body).toMatchObject(plain);
      if (loyalty_card) {
        const { lots, ...figures } = loyalty_card as { lots?: unknown };
        expect(body.loyalty_card).toMatchObject(figures);
      }
      if (campaign_id) expect(body.campaign_id).toBe(campaign_id);
      if (campaign) expect(body.campaign).toBe(campaign);
      if (start_date) expect([body.start_date, body.expiration_date]).toEqual([start_date, expiration_date]);
      expect((await get({ params: { code: body.id }, headers })).body).toEqual(body);
    }
  });

  test('stores tokens only as hashes', async () => {
    const stored = JSON.stringify(await everyItemOf(file.project.id));
    const tokens = [...JSON.stringify(file).matchAll(/"(\w+_token)":"([^"]+)"/g)];
    expect(new Set(tokens.map(([, field]) => field))).toContain('management_token');
    for (const [, , token] of tokens) expect(stored).not.toContain(token);
  });

  test('changes nothing when it is loaded again, at another time', async () => {
    const before = await everyItemOf(file.project.id);
    await loadFile(file, new Date('2026-07-01T00:00:00Z'));
    expect(await everyItemOf(file.project.id)).toEqual(before);
  });
});

test('a load that was interrupted before its keys opens nothing, and continues when it runs again', async () => {
  const file = projectFile({ vouchers: [{ code: 'A', type: 'DISCOUNT_VOUCHER' }] });
  const opens = (command: Command) => JSON.stringify(command.input).includes('"sk":"APP_KEY"');
  await expect(loadCutOff(file, opens)).rejects.toThrow('cut off');
  const get = () => caller(voucherHandler)({ params: { code: 'A' }, headers: credentialsOf(file) });
  expect((await get()).status).toBe(401);
  await loadFile(file);
  expect((await get()).status).toBe(200);
});
