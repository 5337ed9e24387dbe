import { isJson, type Json } from './schemas.ts';

/** Returns the type name of an operation: `create-voucher` is `CreateVoucher`. */
function typeName(operation: string): string {
  return operation.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const beside: Readonly<Record<string, string>> = { 'multipart/form-data': 'File', 'image/svg+xml': 'Image' };

/** Returns the last part of a body's name. A second content type and an accepted reply have their own names. */
function suffixOf(type: string, place: string): string {
  const kind = beside[type] ?? '';
  if (place === 'request') return `${kind}Request`;
  return place === '202' ? `${kind}Accepted` : `${kind}Reply`;
}

interface Named {
  readonly paths: Json;
  readonly components: Readonly<Record<string, Json>>;
}

/** Gives each unnamed body the name of its operation: `CreateVoucherRequest`, `CreateVoucherReply`. */
export function nameBodies(paths: Json): Named {
  const components: Record<string, Json> = {};
  const take = (name: string, schema: Json): Json => {
    if (typeof schema.$ref === 'string' || Object.keys(schema).length === 0) return schema;
    if (name in components) throw new Error(`two bodies are named ${name}`);
    components[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  };
  const namedContent = (part: unknown, operation: string, place: string): unknown => {
    if (!isJson(part) || !isJson(part.content)) return part;
    const content = Object.entries(part.content).map(([type, media]) => {
      if (!isJson(media) || !isJson(media.schema)) return [type, media];
      return [type, { ...media, schema: take(typeName(operation) + suffixOf(type, place), media.schema) }];
    });
    return { ...part, content: Object.fromEntries(content) };
  };
  const namedOperation = (operation: unknown): unknown => {
    if (!isJson(operation)) return operation;
    const { operationId, requestBody, responses } = operation;
    const name = String(operationId);
    const replies = Object.entries(isJson(responses) ? responses : {}).map(([status, reply]) => [
      status,
      status < '300' ? namedContent(reply, name, status) : reply,
    ]);
    const body = requestBody === undefined ? {} : { requestBody: namedContent(requestBody, name, 'request') };
    return { ...operation, ...body, responses: Object.fromEntries(replies) };
  };
  const named = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(Object(methods)).map(([method, one]) => [method, namedOperation(one)])),
  ]);
  return { paths: Object.fromEntries(named), components };
}
