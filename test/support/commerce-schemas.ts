import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';

/** Checks replies against the published schemas of UCP and ACP. They are not part of this repository. */

const parts = {
  ucp: {
    discounts: 'https://ucp.dev/schemas/shopping/discount.json#/$defs/discounts_object',
    totals: 'https://ucp.dev/schemas/common/types/totals.json',
    messages: 'https://ucp.dev/schemas/common/types/message.json',
    line_items: 'https://ucp.dev/schemas/shopping/types/line_item.json',
  },
  acp: { discounts: 'https://agentic-commerce-protocol.com/schemas/discount.json#/$defs/discounts_response' },
};

export type Protocol = keyof typeof parts;

function* listSchemas(folder: string): Generator<{ $id: string }> {
  for (const { name, parentPath } of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!name.endsWith('.json')) continue;
    const schema = JSON.parse(readFileSync(join(parentPath, name), 'utf8'));
    if (typeof schema.$id === 'string') yield schema;
  }
}

/** Returns a check that lists the faults of a reply. The folder has the schemas of both protocols. */
export function readCommerceSchemas(folder: string): (protocol: Protocol, reply: Record<string, unknown>) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: fullFormats });
  for (const schema of listSchemas(folder)) ajv.addSchema(schema);
  return (protocol, reply) =>
    Object.entries<string>(parts[protocol]).flatMap(([field, id]) => {
      const validate = ajv.getSchema(id);
      if (!validate) return [`${id} is in no file of ${folder}`];
      const value = reply[field];
      // The schemas of messages and lines describe one element.
      const values =
        field === 'messages' || field === 'line_items' ? (Array.isArray(value) ? value : [value]) : [value];
      return values.flatMap((one) =>
        validate(one)
          ? []
          : (validate.errors ?? []).map(({ instancePath, message }) => `${field}${instancePath} ${message}`),
      );
    });
}
