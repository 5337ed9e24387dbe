import type { Dependencies } from '#kernel/http/composition.ts';
import { handler as adjustHandler } from '../../functions/loyalties/adjust-pending-points.ts';
import { caller, type Reply } from './call.ts';
import { testDependencies } from './dependencies.ts';
import { card, programme } from './loyalty.ts';
import { itemsOf } from './outbox.ts';
import { credentialsOf, loadFile, projectFile } from './project.ts';

export const inUse = [409, 'idempotency_key_in_use'];
export const lost = [409, 'idempotency_reply_lost'];

/** Returns the status, with the error key of a refusal. */
export const outcomeOf = ({ status, body }: Reply) => (status === 200 ? [200] : [status, body.key]);
export const isReplay = ({ headers }: Reply) => headers['Idempotent-Replayed'] === 'true';

/** Opens a project with two app keys and a card with 100 pending points. */
export async function openProject(more: Record<string, unknown> = {}) {
  const file = projectFile({
    campaigns: [programme('camp_club')],
    customers: [{ id: 'cust_ada' }],
    event_schema: [{ name: 'visited', metadata: {} }],
    vouchers: [card('CARD', 100, { holder_id: 'cust_ada' }), card('OTHER', 50)],
    pending_points: [{ id: 'lopp_1', code: 'CARD', points: 100 }],
    ...more,
  });
  const second = { app_id: `second-${file.project.id}`, app_token: `second-${file.project.id}`, name: 'Till' };
  await loadFile({ ...file, app_keys: [...file.app_keys, second] });
  const id = file.project.id;
  return {
    id,
    credentials: credentialsOf(file),
    second: credentialsOf({ app_keys: [second] }),
    pending: async () => (await itemsOf(id, 'PENDING_POINTS#')).find((item) => item.id === 'lopp_1')?.points,
  };
}

export type Project = Awaited<ReturnType<typeof openProject>>;

export const params = { memberId: 'CARD', pendingPointsId: 'lopp_1' };

/** Adjusts the pending points with or without an idempotency key. */
export function adjusting(project: Project, dependencies: Dependencies = testDependencies()) {
  const call = caller(adjustHandler, dependencies);
  return (key: string | undefined, points = 7, headers: Record<string, string> = project.credentials) =>
    call({
      params,
      body: { points },
      headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    });
}

export const keyed = ({ credentials }: Project, key: string) => ({ ...credentials, 'idempotency-key': key });
