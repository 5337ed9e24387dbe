import * as v from 'valibot';
import type { Project } from '#kernel/access/projects/project.ts';
import { shownAs } from '#kernel/core/documented.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { record } from '#kernel/core/schema.ts';
import { createSeal } from '#kernel/http/seal.ts';

/**
 * Stores the headers that a webhook's owner adds. They are sealed for their target, and no reply shows more than their
 * names.
 */

const most = 10;
const longestName = 100;
const longestValue = 1_000;

/** A token of RFC 9110. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Blanks at the ends of a value would be lost in transit. */
const printable = /^[!-~](?:[ -~]*[!-~])?$/;

/** Headers that the sender sets, and those that belong to one connection (RFC 9110, 7.6.1). */
const reserved: ReadonlySet<string> = new Set([
  ...['content-type', 'content-length', 'user-agent', 'host', 'expect', 'content-encoding'],
  ...['x-voucherify-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'],
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

function explainFault(name: string, value: string): string | undefined {
  if (!token.test(name) || name.length > longestName) {
    return `is not a name of a header: use up to ${longestName} letters, digits and dashes`;
  }
  if (reserved.has(name.toLowerCase())) return 'is set by the service itself: leave it out';
  if (printable.test(value) && value.length <= longestValue) return undefined;
  return `must have 1 to ${longestValue} printable ASCII characters, without blanks at its ends`;
}

/** The headers as a body sends them. */
export const sentHeaders = shownAs(
  v.pipe(
    record(v.string()),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const { value: input } = dataset;
      const all = Object.entries(input);
      if (all.length > most) {
        addIssue({ message: `must have at most ${most} headers` });
        return;
      }
      for (const [key, value] of all) {
        const message = explainFault(key, value);
        if (message) addIssue({ message, path: [{ type: 'object', origin: 'value', input, key, value }] });
      }
      const names = new Set(all.map(([name]) => name.toLowerCase()));
      if (names.size < all.length) addIssue({ message: 'must name each header once, whatever its case' });
    }),
  ),
  {
    type: 'object',
    maxProperties: most,
    additionalProperties: { type: 'string', minLength: 1, maxLength: longestValue },
  },
);

type Headers = Readonly<Record<string, string>>;
type Keys = Pick<Project, 'webhookHeadersKey'>;

/** The headers as the webhook stores them. */
interface Kept {
  readonly header_names?: readonly string[] | null | undefined;
  readonly sealed_headers?: string | null | undefined;
}

interface Sent {
  readonly headers?: Headers | null | undefined;
  /** The target that receives them. */
  readonly target: string;
  /** The target before the change. */
  readonly before?: unknown;
}

/**
 * Returns the headers in the form that a creation or an update stores. 400 if a kept secret would be sent to another
 * target, because a user who may change the target may not read the headers.
 */
export function keepHeaders({ webhookHeadersKey }: Keys, { headers, target, before }: Sent, kept: Kept = {}): Kept {
  if (headers === undefined) {
    if (!kept.header_names || target === before) return {};
    const details = 'target_url changes, and the headers are only for the target before: send headers again, or null';
    throw new ServiceError('invalid_payload', { details });
  }
  const header_names = Object.keys(headers ?? {});
  if (header_names.length === 0) return { header_names: null, sealed_headers: null };
  const sealed = createSeal(webhookHeadersKey, target).close(JSON.stringify(headers));
  return { header_names, sealed_headers: Buffer.from(sealed).toString('base64') };
}

const opened = v.record(v.string(), v.string());

/**
 * Returns the headers for this target. Returns `undefined` if they are sealed for a different target, which a project
 * file has replaced.
 */
export function openHeaders(
  { webhookHeadersKey }: Keys,
  { target_url, sealed_headers }: Kept & { readonly target_url: string },
): Headers | undefined {
  if (!sealed_headers) return {};
  try {
    const text = createSeal(webhookHeadersKey, target_url).open(Buffer.from(sealed_headers, 'base64'));
    return v.parse(opened, JSON.parse(text));
  } catch {
    return undefined;
  }
}
