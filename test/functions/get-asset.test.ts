import { describe, expect, test } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as barcodeHandler } from '../../functions/assets/get-barcode-asset.ts';
import { handler as qrHandler } from '../../functions/assets/get-qr-asset.ts';
import { handler as voucherHandler } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { coldDependencies } from '../support/dependencies.ts';
import { loadProject } from '../support/project.ts';

const codes = ['SPRING-AAA222', 'PARTNER/1#é', 'a b', '日本語のコード', 'x'.repeat(300), '日'.repeat(166)];
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const project = await loadProject({ vouchers: codes.map((code) => ({ code, type: 'DISCOUNT_VOUCHER' })) });

async function assetsOf(code: string, of = project) {
  const { body } = await caller(voucherHandler)({ params: { code }, headers: of.credentials });
  return body.assets;
}

describe.each<['qr' | 'barcode', Endpoint]>([
  ['qr', qrHandler],
  ['barcode', barcodeHandler],
])('the %s picture of a voucher', (kind, handler) => {
  const call = caller(handler);

  test('is at the URL that the voucher names, for anyone with the URL, as SVG', async () => {
    for (const code of codes) {
      const { id, url } = (await assetsOf(code))[kind];
      expect(url).toBe(`https://api.tessera.example/v1/assets/${kind}/${id}`);
      const { status, headers, body } = await call({ params: { id } });
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'Content-Type': 'image/svg+xml',
        'X-Content-Type-Options': 'nosniff',
        Vary: 'Accept',
      });
      expect(body.toString()).toMatch(/^<svg .*<\/svg>\s*$/s);
    }
  });

  test('is PNG on request', async () => {
    const { id } = (await assetsOf('SPRING-AAA222'))[kind];
    const { headers, body } = await call({ params: { id }, headers: { accept: 'image/png' } });
    expect(headers).toMatchObject({ 'Content-Type': 'image/png' });
    expect(body.subarray(0, 8)).toEqual(pngSignature);
    const browser = { accept: 'image/avif,image/webp,image/png,image/svg+xml,*/*;q=0.8' };
    expect((await call({ params: { id }, headers: browser })).headers).toMatchObject({
      'Content-Type': 'image/svg+xml',
    });
  });

  test('keeps its id, and differs from other codes', async () => {
    const [first, again, other] = [await assetsOf('a b'), await assetsOf('a b'), await assetsOf('SPRING-AAA222')];
    expect(again[kind]).toEqual(first[kind]);
    expect(other[kind].id).not.toBe(first[kind].id);
    const pictures = await Promise.all([first, other].map(({ [kind]: { id } }) => call({ params: { id } })));
    expect(pictures[0]?.body).not.toEqual(pictures[1]?.body);
  });

  test('is missing under a forged, cut, foreign or other id', async () => {
    const { id } = (await assetsOf('SPRING-AAA222'))[kind];
    const other = await loadProject({ vouchers: [{ code: 'SPRING-AAA222', type: 'DISCOUNT_VOUCHER' }] });
    const foreign = (await assetsOf('SPRING-AAA222', other))[kind].id;
    const otherKind = (await assetsOf('SPRING-AAA222'))[kind === 'qr' ? 'barcode' : 'qr'].id;
    const sealed = id.slice(project.id.length + 1);
    const flipped = Array.from(sealed, (letter, index) =>
      [...sealed].toSpliced(index, 1, letter === 'A' ? 'B' : 'A').join(''),
    ).map((text) => `${project.id}.${text}`);
    const forged = [
      ...flipped,
      otherKind,
      `${project.id}.${foreign.slice(other.id.length + 1)}`,
      `${other.id}.${sealed}`,
      `proj_nobody.${sealed}`,
      `${id}A`,
      `${id}.`,
      id.slice(0, -1),
      `${project.id}.`,
      `${project.id}.AAAA`,
      sealed,
      '.',
      'SPRING-AAA222',
      'x'.repeat(5000),
    ];
    for (const attempt of forged) {
      const { status, body } = await call({ params: { id: attempt } });
      expect([attempt, status, body.key]).toEqual([attempt, 404, 'not_found']);
    }
  });

  test('costs no DynamoDB call when the container knows the project', async () => {
    const dependencies = coldDependencies();
    const warm = caller(handler, dependencies);
    const { id } = (await assetsOf('a b'))[kind];
    await warm({ params: { id } });
    await warm({ params: { id } });
    expect(dependencies.lines.map((line) => JSON.parse(line).dynamodb_calls)).toEqual([1, 0]);
  });
});
