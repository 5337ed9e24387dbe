import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { expect, test } from 'vitest';
import { lists } from '#addons/admin/project-file/lists.ts';
import demo from '../../infra/local/demo-project.json' with { type: 'json' };
import { buildProjectFileSchema } from '../../infra/openapi/project-file-schema.ts';
import acme from '../support/acme.json' with { type: 'json' };
import { faultsOf, projectFile } from '../support/project.ts';

const schema = buildProjectFileSchema();
const validate = new Ajv2020({ allErrors: true, formats: fullFormats, strict: false }).compile(schema);
const placesOf = (file: unknown) =>
  validate(file) ? [] : (validate.errors ?? []).map(({ instancePath }) => instancePath);

const coupon = { code: 'A', type: 'DISCOUNT_VOUCHER' };

test('the schema of project files has every list, and accepts the files that the loader accepts', () => {
  expect(Object.keys(schema.properties as object).sort()).toEqual(['$schema', 'project', ...lists.keys()].sort());
  expect(placesOf(acme)).toEqual([]);
  expect(placesOf(demo)).toEqual([]);
});

test.each([
  ['an unknown field', { ...coupon, colour: 'red' }],
  ['an unknown field inside', { ...coupon, redemption: { quantitiy: 1 } }],
  ['a value of another type', { ...coupon, active: 'yes' }],
  ['a missing field', { type: 'DISCOUNT_VOUCHER' }],
])('the schema and the loader refuse %s', async (_, voucher) => {
  const file = projectFile({ vouchers: [voucher] });
  expect(placesOf(file)).toEqual([expect.stringMatching(/^\/vouchers\/0/)]);
  expect(await faultsOf(file)).toEqual([expect.stringMatching(/^vouchers\[0\]/)]);
});

test("the schema and the loader accept a reply's further fields, and the address of the schema", async () => {
  const shown = { ...coupon, object: 'voucher', assets: { qr: { id: 'q', url: 'u' } }, categories: [] };
  const file = { $schema: './project-file.schema.json', ...projectFile({ vouchers: [shown] }) };
  expect(placesOf(file)).toEqual([]);
  expect(await faultsOf(file)).toEqual([]);
});

test('the command writes the schema beside the document', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-'));
  try {
    await promisify(execFile)(process.execPath, ['infra/openapi/write.ts', join(folder, 'api.json')]);
    expect(JSON.parse(await readFile(join(folder, 'project-file.schema.json'), 'utf8'))).toEqual(schema);
  } finally {
    await rm(folder, { recursive: true });
  }
});
