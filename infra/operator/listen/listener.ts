import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import type { Management } from './management.ts';

/** Reads the events of a project from the log of a webhook that exists while the listener runs. */

const page = v.object({
  data: v.array(v.object({ id: v.string(), created_at: v.string(), status: v.string() })),
  has_more: v.boolean(),
  more_starting_after: v.optional(v.nullable(v.string())),
});

const detailed = v.object({
  type: v.string(),
  request: v.nullable(v.object({ headers: v.record(v.string(), v.string()), body: v.string() })),
});

const secretReply = v.object({
  secret: v.string(),
  previous_secret: v.nullable(v.string()),
  token: v.string(),
  previous_token: v.nullable(v.string()),
});
const created = v.object({ id: v.string() });

export interface HeardEvent {
  readonly id: string;
  readonly type: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** True if both signatures are right. */
  readonly isVerified: boolean;
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The keys that sign the events of the project. */
export interface Keys {
  readonly secrets: readonly string[];
  readonly tokens: readonly string[];
}

/** Checks a request like a receiver: by the header of the public interface, and by Standard Webhooks. */
export function isSigned(
  { headers, body }: { headers: Readonly<Record<string, string>>; body: string },
  { secrets, tokens }: Keys,
): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at } = headers;
  const given = headers['webhook-signature']?.split(' ') ?? [];
  const hex = headers['x-voucherify-signature'] ?? '';
  const standardBy = (secret: string) => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`;
  };
  return (
    tokens.some((token) => isSame(createHmac('sha256', token).update(body).digest('hex'), hex)) &&
    secrets.some((secret) => given.some((one) => isSame(one, standardBy(secret))))
  );
}

/** Events may reach the log in a different order, up to this time after a younger event. */
const lateByMs = 60_000;
/** The service ends a log that is not renewed for a day. */
const renewEveryMs = 3_600_000;

export class Listener {
  readonly #management: Management;
  readonly #project: string;
  readonly #seen = new Map<string, number>();
  #webhook = '';
  #keys: Keys = { secrets: [], tokens: [] };
  #newest = 0;
  #renewedAt = 0;

  constructor(management: Management, project: string) {
    this.#management = management;
    this.#project = `/management/v1/projects/${encodeURIComponent(project)}`;
  }

  async open(events: readonly string[], now: Date): Promise<void> {
    await this.#readSecrets();
    const target_url = `log:listen-${randomBytes(6).toString('hex')}`;
    const webhook = await this.#management.call('POST', `${this.#project}/webhooks`, { target_url, events });
    this.#webhook = `${this.#project}/webhooks/${v.parse(created, webhook).id}`;
    this.#renewedAt = now.getTime();
  }

  async close(): Promise<void> {
    if (this.#webhook !== '') await this.#management.call('DELETE', this.#webhook);
    this.#webhook = '';
  }

  /** Returns the events since the last call, the oldest first. */
  async readNew(now: Date): Promise<HeardEvent[]> {
    if (now.getTime() - this.#renewedAt > renewEveryMs) {
      await this.#management.call('PUT', this.#webhook, { active: true });
      this.#renewedAt = now.getTime();
    }
    const heard: HeardEvent[] = [];
    for (const id of await this.#findNew()) {
      const event = await this.#read(id);
      if (event) heard.push(event);
    }
    return heard;
  }

  async #findNew(): Promise<string[]> {
    const horizon = this.#newest - lateByMs;
    const found: string[] = [];
    for (let after: string | undefined, isMore = true; isMore; ) {
      const query = `limit=100${after === undefined ? '' : `&starting_after_id=${after}`}`;
      const reply = v.parse(page, await this.#management.call('GET', `${this.#webhook}/deliveries?${query}`));
      for (const { id, created_at, status } of reply.data) {
        const at = Date.parse(created_at);
        if (status === 'PENDING' || this.#seen.has(id) || at < horizon) continue;
        this.#seen.set(id, at);
        found.unshift(id);
        this.#newest = Math.max(this.#newest, at);
      }
      const oldest = reply.data.at(-1);
      after = reply.more_starting_after ?? undefined;
      isMore =
        reply.has_more && after !== undefined && oldest !== undefined && Date.parse(oldest.created_at) >= horizon;
    }
    for (const [id, at] of this.#seen) if (at < this.#newest - 2 * lateByMs) this.#seen.delete(id);
    return found;
  }

  async #read(id: string): Promise<HeardEvent | undefined> {
    const reply = v.parse(detailed, await this.#management.call('GET', `${this.#webhook}/deliveries/${id}`));
    const { type, request } = reply;
    if (!request) return undefined;
    // The secret may have been rotated.
    if (!isSigned(request, this.#keys)) await this.#readSecrets();
    return { id, type, ...request, isVerified: isSigned(request, this.#keys) };
  }

  async #readSecrets(): Promise<void> {
    const reply = v.parse(secretReply, await this.#management.call('GET', `${this.#project}/webhook-secret`));
    this.#keys = {
      secrets: [reply.secret, reply.previous_secret].filter((secret) => secret !== null),
      tokens: [reply.token, reply.previous_token].filter((token) => token !== null),
    };
  }
}
