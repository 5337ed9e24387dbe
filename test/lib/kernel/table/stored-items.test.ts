import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { ledgerEntryItem } from '#engine/ledger/ledger-entry.ts';
import { appKeyItem } from '#kernel/access/projects/app-key.ts';
import { tokenItem } from '#kernel/access/tokens/token.ts';
import { childDeletionItem } from '#kernel/kit/deletion/tombstone.ts';
import { jobItem } from '#kernel/kit/jobs/job.ts';
import { unmarshallOptions } from '#kernel/table/item.ts';
import released from '../../../support/released-items.json' with { type: 'json' };
import { nameOfItem, oneOfEach, type Wire } from '../../../support/stored-items.ts';
import { storedSchemas } from '../../../support/stored-shapes.ts';

/** Kinds whose schema only their own file knows. */
const unseen = ['CAMPAIGN_DAY', 'COUNTED', 'COUNTED_LOG', 'INVITEE', 'MANAGEMENT_KEY', 'TOTAL', 'TURN', 'VERSION'];

/** Schemas of items whose kind is not exported, or has another item under the same name. Every job begins with `jobItem`. */
const own: Readonly<Record<string, readonly v.GenericSchema[]>> = {
  APP_KEY: [appKeyItem],
  JOB: [jobItem],
  'JOB delete-children': [childDeletionItem],
  LEDGER: [ledgerEntryItem],
  TOKEN: [tokenItem],
};

const items = Object.entries(released.items as unknown as Readonly<Record<string, Wire>>);
const schemas = await storedSchemas();

/** Converts an item as the client does, with a binary as bytes. */
function asRead(item: Wire): Record<string, unknown> {
  const bytes = JSON.parse(JSON.stringify(item), (key, value: unknown) =>
    key === 'B' && typeof value === 'string' ? Buffer.from(value, 'base64') : value,
  );
  return unmarshall(bytes, unmarshallOptions);
}

test.each(items.filter(([name]) => !unseen.includes(name)))(
  "this release reads the previous release's %s: docs/contributing.md#shapes",
  (name, item) => {
    const [kind = ''] = name.split(' ');
    const known = own[name] ?? own[kind] ?? schemas.get(kind) ?? [];
    expect(known.length).toBeGreaterThan(0);
    const faults = known.flatMap((schema) => v.safeParse(schema, asRead(item)).issues ?? []);
    expect(faults.map((issue) => [v.getDotPath(issue), issue.message])).toEqual([]);
  },
);

test('the stored items are of more than sixty kinds, and contain no secret', () => {
  expect(items.length).toBeGreaterThan(60);
  for (const [name, item] of items) expect(nameOfItem(item)).toBe(name);
  const secrets = items.flatMap(([, item]) =>
    Object.entries(item).filter(([field]) => /secret|token_hash/.test(field)),
  );
  expect(secrets.length).toBeGreaterThan(0);
  for (const [, value] of secrets) expect(JSON.stringify(value)).toMatch(/^\{"S":"x*"\}$/);
});

test('the fullest item of a kind is chosen, and drawn values are replaced', () => {
  const wire = (id: string, more: object = {}) => ({
    sk: { S: `LEDGER#${id}` },
    kind: { S: 'LEDGER' },
    id: { S: id },
    ...more,
  });
  const [small, full] = [
    wire('vtx_1234567890123456'),
    wire('vtx_6543210987654321', { at: { S: '2031-01-02T03:04:05Z' } }),
  ];
  const chosen = {
    at: { S: '2026-06-15T12:00:00.000Z' },
    id: { S: 'vtx_1' },
    kind: { S: 'LEDGER' },
    sk: { S: 'LEDGER#vtx_1' },
  };
  expect(oneOfEach([small, full, small])).toEqual({ LEDGER: chosen });
});
