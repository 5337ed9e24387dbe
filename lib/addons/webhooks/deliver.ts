import * as v from 'valibot';
import { validSecrets, validTokens, webhookSecrets } from '#kernel/access/projects/webhook-secrets.ts';
import { count } from '#kernel/core/schema.ts';
import { longestDelayInS, type Message } from '#kernel/kit/jobs/queues.ts';
import type { JobDependencies } from '#kernel/kit/jobs/run.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { type Key, readProjectId } from '#kernel/table/keys.ts';
import { read } from '#kernel/table/read.ts';
import { Table } from '#kernel/table/table.ts';
import { Update } from '#kernel/table/update.ts';
import { type AccountTargets, sendInAccount } from './account-targets.ts';
import { type Attempt, type Delivery, deliveries, type Health, webhookEvents, webhookHealth } from './delivery.ts';
import { buildBody } from './envelope.ts';
import { openHeaders } from './headers.ts';
import { webhook } from './resource.ts';
import { graceAfter, isOpen, maxTries, nextAttempt, openUntil, showsIllness } from './schedule.ts';
import { readSecrets } from './secret.ts';
import { type SigningKeys, signatureHeaders } from './sign.ts';
import { TargetSlots } from './slots.ts';
import { deliveryMessage, writeDelivery } from './store-delivery.ts';
import { type Answer, post, type TargetOptions } from './target.ts';
import { readTarget, type WebhookTarget } from './target-address.ts';

/** The content of a message besides the key of its delivery. */
const facts = v.object({ tries: count, waits: v.optional(count, 0) }) satisfies v.GenericSchema<Message['more']>;

type Webhook = v.InferOutput<typeof webhook.stored>;

/** One delivery with everything that an attempt needs. */
interface Job {
  readonly table: Table;
  readonly projectId: string;
  readonly now: Date;
  readonly key: Key;
  readonly delivery: Delivery;
}

/** Everything that one request needs. */
interface Sending {
  readonly target: WebhookTarget;
  readonly body: string;
  readonly delivery: Delivery;
  readonly now: Date;
  /** Returns the keys that sign. The first call of a project makes its secret. */
  readonly keys: () => Promise<SigningKeys>;
  /** The headers of the webhook's owner, if they are for its target. */
  readonly headers: Readonly<Record<string, string>> | undefined;
}

const ofAnotherTarget = 'the headers of the webhook are for another target: send headers again, or null';

const gone = 410;
/** Longer than the longest wait of a retry. */
const healthKeptInS = 2 * 24 * 3_600;

const healthy: Health = { failures: 0, probes: 0 };

const isAnswered = ({ status }: Attempt) => typeof status === 'number' && status >= 200 && status < 300;

/** Ends a delivery that is no longer needed, because its webhook was deleted or switched off. */
async function cancel({ table, projectId, key, delivery }: Job): Promise<void> {
  const after: Delivery = { ...delivery, status: 'CANCELED' };
  await table.change(key, writeDelivery(projectId, delivery, after, undefined).build());
}

/** Waits for the sweep, because the circuit is open. It does not count as an attempt. */
async function postpone({ table, projectId, key, delivery }: Job, until: Date): Promise<void> {
  await table.change(key, writeDelivery(projectId, delivery, delivery, until).build());
}

/** Lets a single delivery through to a target whose circuit is open. Others wait for its outcome. */
async function takeProbe({ table, projectId, now }: Job, webhookId: string, seen: string): Promise<boolean> {
  const until = new Date(now.getTime() + 30_000).toISOString();
  const probe = new Update<typeof webhookHealth.schema>().whenStill('open_until', seen).set(['open_until'], until);
  return (await table.change(webhookHealth(projectId, webhookId), probe.build())).done;
}

/** Notes that the target answers again, or that it failed once more. */
async function noteHealth(job: Job, attempt: Attempt, { failures, open_until }: Health): Promise<void> {
  const { table, projectId, delivery, now } = job;
  const key = webhookHealth(projectId, delivery.webhook_id);
  if (!showsIllness(attempt)) {
    if (failures > 0) await table.remove(key, Update.of(key).whenAtLeast('failures', 1).build());
    return;
  }
  const failed = Update.of(key).add('failures', 1).set(['expiresAt'], table.expiringIn(healthKeptInS));
  if (open_until !== undefined) failed.add('probes', 1);
  const outcome = await table.change(key, failed.build());
  if (!outcome.done) return;
  const counted = parseStored(webhookHealth.schema, outcome.item);
  // Requests in flight when the circuit opened finish in turn. They do not count as probes.
  const until = openUntil(open_until === undefined ? { ...counted, probes: 0 } : counted, now)?.toISOString();
  if (until !== undefined) await table.change(key, Update.of(key).set(['open_until'], until).build());
}

/** Switches the webhook off, or returns `false` if it has changed since the read, because a newer switch must win. */
async function setInactive({ table, projectId, delivery }: Job): Promise<boolean> {
  const key = webhook.few(projectId, delivery.webhook_id);
  const { found } = await read(table, { found: key });
  if (!found?.active) return false;
  const unchanged = Update.of(key).whenThere().whenStill('revision', found.revision);
  const off = unchanged.set(['active'], false).add('revision', 1);
  return (await table.change(key, off.build())).done;
}

/** Reports a webhook that needs operators. The alarm `given-up` counts these lines. */
function complain({ projectId, delivery, now }: Job, facts: Attributes, log: (line: string) => void): void {
  const line = { level: 'error', time: now.toISOString(), webhook: delivery.webhook_id, project_id: projectId };
  log(JSON.stringify({ ...line, ...facts, webhook_failed: true }));
}

async function switchOff(job: Job, reason: string, log: (line: string) => void): Promise<void> {
  if (await setInactive(job)) complain(job, { reason, webhook_switched_off: true }, log);
}

/** A target of the kind `log` costs money for each event, so it ends after a day unless it is renewed. */
const logLifeInMs = 24 * 3_600_000;

function isOver({ created_at, updated_at = created_at }: Webhook, now: Date): boolean {
  return now.getTime() - Date.parse(updated_at) > logLifeInMs;
}

/** Returns the finished attempt, and the delivery with it. */
function endAttempt({ delivery, now: begunAt }: Job, { status, text }: Answer, now: Date) {
  const attempt: Attempt = {
    at: begunAt.toISOString(),
    status,
    duration_ms: now.getTime() - begunAt.getTime(),
    answer: text,
  };
  const { next_attempt_at: _, ...ended } = { ...delivery, attempts: [...delivery.attempts.slice(0, -1), attempt] };
  return { attempt, ended };
}

/** Notes the only attempt for a target of the account. Its service has repeated the call already. */
async function noteOnce(job: Job, answer: Answer, { clock, log }: JobDependencies): Promise<void> {
  const { table, projectId, delivery, key } = job;
  const { attempt, ended } = endAttempt(job, answer, clock());
  const isDone = isAnswered(attempt);
  const after: Delivery = { ...ended, status: isDone ? 'SUCCEEDED' : 'FAILED' };
  const { done } = await table.change(key, writeDelivery(projectId, delivery, after, undefined).build());
  if (done && !isDone && !delivery.is_replayed) complain(job, { reason: answer.text }, log);
}

/** Delivers events to webhooks. A delivery may arrive twice, and is tried once for each number of tries. */
export class Deliverer {
  readonly #slots = new TargetSlots();
  readonly #options: TargetOptions;
  readonly #account: AccountTargets;

  constructor(options: TargetOptions = {}, account: AccountTargets = {}) {
    this.#options = options;
    this.#account = account;
  }

  async deliver(key: Key, more: unknown, dependencies: JobDependencies): Promise<void> {
    const { dynamodb, tableName, clock, queues } = dependencies;
    const { tries, waits } = v.parse(facts, more);
    const now = clock();
    const table = new Table(dynamodb, tableName, now);
    const projectId = readProjectId(key);
    const delivery = await table.get(key, deliveries.schema);
    if (delivery?.status !== 'PENDING' || delivery.tries !== tries) return;
    const job = { table, projectId, now, key, delivery };
    const done = await this.#slots.run(`${projectId} ${delivery.webhook_id}`, async () => {
      await this.#try(job, dependencies);
      return true;
    });
    if (done) return;
    const delayInS = Math.min(2 ** waits, 60);
    const message = deliveryMessage(projectId, delivery, delayInS);
    await queues.send('webhooks', [{ ...message, more: { tries, waits: waits + 1 } }]);
  }

  async #try(job: Job, dependencies: JobDependencies): Promise<void> {
    const { table, projectId, now, delivery } = job;
    const { webhook_id, event_id } = delivery;
    const found = await read(table, {
      event: webhookEvents(projectId, event_id),
      webhook: webhook.few(projectId, webhook_id),
      health: webhookHealth(projectId, webhook_id),
      secret: webhookSecrets(projectId),
    });
    const { event, health } = found;
    if (!event || !found.webhook || !(found.webhook.active || delivery.is_replayed)) return cancel(job);
    const seen = health?.open_until;
    if (health && seen !== undefined) {
      if (isOpen(health, now)) return postpone(job, new Date(seen));
      if (!(await takeProbe(job, webhook_id, seen))) return postpone(job, new Date(now.getTime() + 30_000));
    }
    const project = await dependencies.credentialCache.project(table, projectId, now);
    if (!project) return cancel(job);
    const target = readTarget(found.webhook.target_url);
    if (target.kind === 'log' && isOver(found.webhook, now)) {
      await setInactive(job);
      return cancel(job);
    }
    const body = await buildBody({ projectId, delivery, event, webhook: found.webhook }, dependencies.files);
    const begun: Delivery = {
      ...delivery,
      tries: delivery.tries + 1,
      attempts: [...delivery.attempts, { at: now.toISOString() }],
    };
    const claim = writeDelivery(projectId, delivery, begun, graceAfter(now));
    if (!(await table.change(job.key, claim.build())).done) return;
    const keys = async () => {
      const stored = found.secret ?? (await readSecrets({ table, project, now }));
      return { secrets: validSecrets(stored, now), tokens: validTokens(project, stored, now) };
    };
    const headers = openHeaders(project, found.webhook);
    const answer = await this.#send({ target, body, delivery, now, keys, headers });
    const noted = { ...job, delivery: begun };
    if (target.kind === 'address') await this.#note(noted, answer, health ?? healthy, dependencies);
    else await noteOnce(noted, answer, dependencies);
  }

  async #send({ target, body, delivery: { id, type }, now, keys, headers: own }: Sending): Promise<Answer> {
    if (target.kind === 'log') return { status: 200, text: 'kept in the log' };
    if (target.kind !== 'address') return sendInAccount(target, { id, type, body }, this.#account);
    if (!own) return { status: null, text: ofAnotherTarget };
    const headers = { ...own, ...signatureHeaders({ id, at: now, body }, await keys()) };
    return post({ url: target.url, body, headers }, this.#options);
  }

  /** Notes the end of the attempt, and plans the next attempt. */
  async #note(job: Job, answer: Answer, health: Health, { clock, queues, log }: JobDependencies): Promise<void> {
    const { table, projectId, delivery } = job;
    const now = clock();
    const { attempt, ended } = endAttempt(job, answer, now);
    await noteHealth(job, attempt, health);
    const write = (after: Delivery, due?: Date) =>
      table.change(job.key, writeDelivery(projectId, delivery, after, due).build());
    if (isAnswered(attempt)) {
      await write({ ...ended, status: 'SUCCEEDED' });
      return;
    }
    const next = answer.status === gone ? undefined : nextAttempt(delivery.tries, now, answer.retryAfter);
    if (!next || delivery.is_replayed) {
      const { done } = await write({ ...ended, status: 'FAILED' });
      const isLast = answer.status === gone || delivery.tries >= maxTries;
      if (done && isLast && !delivery.is_replayed) await switchOff(job, attempt.answer ?? '', log);
      return;
    }
    const waiting: Delivery = { ...ended, next_attempt_at: next.toISOString() };
    const delayInS = Math.ceil((next.getTime() - now.getTime()) / 1_000);
    const isSoon = delayInS <= longestDelayInS;
    const { done } = await write(waiting, isSoon ? graceAfter(next) : next);
    if (done && isSoon) await queues.send('webhooks', [deliveryMessage(projectId, waiting, delayInS)]);
  }
}
