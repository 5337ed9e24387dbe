import { expect, test } from 'vitest';
import { exportedObjects } from '#addons/files/exported-objects.ts';
import { readCsv } from '#kernel/kit/bulk/csv.ts';
import { handler as getAction } from '../../functions/async-actions/get-async-action.ts';
import { handler as importCustomers } from '../../functions/customers/import-customers.ts';
import { handler as importProducts } from '../../functions/products/import-products.ts';
import { handler as importSkus } from '../../functions/skus/import-skus.ts';
import { handler as importVouchers } from '../../functions/vouchers/import-vouchers-csv.ts';
import { caller } from '../support/call.ts';
import { terms, whole } from '../support/every-kind.ts';
import { exportedLines } from '../support/exports.ts';
import { runOutbox } from '../support/outbox.ts';
import { loadProject, type TestProject } from '../support/project.ts';

const importers = {
  customer: importCustomers,
  product: importProducts,
  sku: importSkus,
  voucher: importVouchers,
} as const;

type Kind = keyof typeof importers;

/** These columns differ by the project: addresses of pictures contain a key of the project, and so do ids of vouchers. */
const ofProject: Readonly<Record<Kind, readonly string[]>> = {
  customer: [],
  product: [],
  sku: [],
  voucher: ['id', 'qr_code', 'bar_code', 'validation_rules_id'],
};

function fieldsOf(kind: Kind): string[] {
  return (
    exportedObjects.find(({ object }) => object === kind)?.columns.filter((name) => !ofProject[kind].includes(name)) ??
    []
  );
}

/** The file of all columns. */
function file(project: TestProject, kind: Kind): Promise<string[]> {
  return exportedLines(project, { exported_object: kind, parameters: { fields: fieldsOf(kind) } });
}

const asJson = ['Metadata', 'Attributes', 'Validity Hours', 'Discount Units', 'Loyalty Lots'];

/** Returns the rows of a file, whatever their order and the order of keys within a cell. */
function saidIn(lines: readonly string[]): Record<string, unknown>[] {
  const [header, ...rows] = [...readCsv(lines.join('\r\n'))].map(({ cells }) => cells);
  const said = rows.map((cells) =>
    Object.fromEntries(
      (header ?? []).map((title, index) => {
        const cell = cells[index] ?? '';
        return [title, asJson.includes(title) && cell !== '' ? JSON.parse(cell) : cell];
      }),
    ),
  );
  const name = (row: Record<string, unknown>) => String(row.Code ?? row.ID);
  return said.toSorted((one, other) => (name(one) < name(other) ? -1 : 1));
}

async function ended(
  { id, credentials: headers }: TestProject,
  reply: { status: number; body: { async_action_id: string } },
) {
  expect(reply.body).toEqual({ async_action_id: expect.any(String) });
  await runOutbox(id);
  return (await caller(getAction)({ headers, params: { asyncActionId: reply.body.async_action_id } })).body.result;
}

async function imported(project: TestProject, kind: Kind, lines: readonly string[]) {
  const content = lines.join('\r\n');
  const reply = await caller(importers[kind])({ headers: project.credentials, body: { file: content } });
  const result = await ended(project, reply);
  expect(result).toMatchObject({ failed: [], done_count: saidIn(lines).length });
  return result;
}

test.each([[['product', 'sku']], [['customer', 'voucher']]] as const)(
  'files of every %s of a project make the same of an empty one, and of the same',
  async (kinds) => {
    const source = await loadProject(whole);
    const target = await loadProject(terms);
    const files = new Map<Kind, string[]>();
    for (const kind of kinds) files.set(kind, await file(source, kind));
    for (const [kind, lines] of files) {
      expect(saidIn(lines).length).toBeGreaterThan(1);
      await imported(target, kind, lines);
    }
    for (const [kind, lines] of files) expect(saidIn(await file(target, kind))).toEqual(saidIn(lines));
    for (const [kind, lines] of files) await imported(source, kind, lines);
    for (const [kind, lines] of files) expect(saidIn(await file(source, kind))).toEqual(saidIn(lines));
  },
);
