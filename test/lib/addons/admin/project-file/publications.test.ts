import { expect, test } from 'vitest';
import { handler as publish } from '../../../../../functions/publications/create-publication.ts';
import { handler as listPublications } from '../../../../../functions/publications/list-publications.ts';
import { handler as getVoucher } from '../../../../../functions/vouchers/get-voucher.ts';
import { caller } from '../../../../support/call.ts';
import { ownTable, testDependencies, testTime } from '../../../../support/dependencies.ts';
import { exported } from '../../../../support/exported.ts';
import { itemsOf } from '../../../../support/outbox.ts';
import { credentialsOf, loadFile, projectFile } from '../../../../support/project.ts';
import { fair } from '../../../../support/publishing.ts';

const given = [
  { voucher: 'CARD', customer: 'ada', source_id: 'card' },
  { campaign: 'Once', customer: 'ada' },
  { campaign: { name: 'Gift', count: 2 }, customer: 'zoe' },
  { campaign: 'Short', customer: 'zoe' },
];

test('publications stay, with their dates, when a file without them is loaded again', async () => {
  const file = projectFile(fair);
  await loadFile(file);
  const headers = credentialsOf(file);
  const codes: string[] = [];
  for (const body of given) codes.push((await caller(publish)({ headers, body })).body.voucher?.code ?? 'CARD');
  const shown = async () =>
    Promise.all(codes.map(async (code) => (await caller(getVoucher)({ headers, params: { code } })).body));
  const before = await shown();
  expect(before.every(({ holder_id: holder }) => typeof holder === 'string')).toBe(true);
  await loadFile(file);
  expect(await shown()).toEqual(before);
});

test('an exported project has its publications and holders, and continues with them in another table', async () => {
  const file = projectFile(fair);
  await loadFile(file);
  const headers = credentialsOf(file);
  const replies = [];
  for (const body of given) replies.push((await caller(publish)({ headers, body })).body);
  expect((await caller(publish)({ headers, body: { voucher: 'FEW-HELD', customer: 'ada' } })).status).toBe(400);
  const { body: listed } = await caller(listPublications)({ headers });
  // The ids of vouchers follow from a secret of the project, which differs in another table.
  const withoutIds = ({ publications }: { publications: object[] }) =>
    publications.map((one) => ({ ...one, vouchers_id: undefined }));
  const content = await exported(file.project.id);
  expect(content.publications).toHaveLength(5);
  expect(content.vouchers.find(({ code }: { code: string }) => code === 'CARD').holder_id).toBe('cust_ada');

  await loadFile(content);
  const other = testDependencies({ tableName: await ownTable() });
  await loadFile({ ...content, app_keys: file.app_keys }, testTime, other);
  expect(withoutIds((await caller(listPublications, other)({ headers })).body)).toEqual(withoutIds(listed));
  for (const [index, body] of given.slice(0, 2).entries())
    expect((await caller(publish, other)({ headers, body })).body.id).toBe(replies[index].id);
  expect((await caller(listPublications, other)({ headers, query: 'voucher=CARD' })).body.total).toBe(1);
  expect(await itemsOf(file.project.id, 'PUBLICATION_JOIN', other)).toHaveLength(4);
});
