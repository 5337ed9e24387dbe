import { expect } from 'vitest';
import { handler as createHandler } from '../../functions/campaigns/create-campaign.ts';
import { handler as getHandler } from '../../functions/campaigns/get-campaign.ts';
import { caller } from './call.ts';
import { ownTable, standingClock, testDependencies } from './dependencies.ts';
import { itemsOf, openJobs, runOutbox } from './outbox.ts';
import { loadProject } from './project.ts';

/** Loads a project into a separate table, with one container. */
export async function newWorld(lists: Record<string, unknown> = {}) {
  const dependencies = { ...testDependencies({ tableName: await ownTable() }), clock: standingClock() };
  return { dependencies, project: await loadProject(lists, dependencies) };
}

export type World = Awaited<ReturnType<typeof newWorld>>;

export async function create({ project, dependencies }: World, body: Record<string, unknown>): Promise<string> {
  const reply = await caller(createHandler, dependencies)({ headers: project.credentials, body });
  expect(reply.status).toBe(200);
  return reply.body.id;
}

export async function read({ project, dependencies }: World, campaignId: string) {
  return (await caller(getHandler, dependencies)({ params: { campaignId }, headers: project.credentials })).body;
}

export const items = ({ project, dependencies }: World, kind: string) => itemsOf(project.id, kind, dependencies);
export const run = ({ project, dependencies }: World) => runOutbox(project.id, dependencies);
export const open = ({ project, dependencies }: World) => openJobs(project.id, dependencies);
export const chunksOf = async (world: World) =>
  (await items(world, 'JOB')).filter(({ kind }) => kind === 'generate-chunk');

/** Returns the codes of the campaign's stored vouchers. */
export async function codesOf(world: World, campaignId: string): Promise<string[]> {
  const vouchers = await items(world, 'VOUCHER');
  return vouchers.filter(({ campaign_id }) => campaign_id === campaignId).map(({ code }) => String(code));
}

/** Checks that the campaign has exactly that many codes, none twice, and reports the same. Returns the codes. */
export async function expectExact(world: World, campaignId: string, count: number, status = 'DONE') {
  const codes = await codesOf(world, campaignId);
  expect(codes).toHaveLength(count);
  expect(new Set(codes).size).toBe(count);
  expect(await read(world, campaignId)).toMatchObject({
    vouchers_count: count,
    creation_status: status,
    vouchers_generation_status: status,
  });
  return codes;
}
