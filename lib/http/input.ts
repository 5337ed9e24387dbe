import jsonBodyParser from '@middy/http-json-body-parser';
import formBodyParser from '@middy/http-urlencode-body-parser';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import { detailsOf, type ErrorKey, ServiceError } from '../errors.ts';
import type { Route } from '../routes/route.ts';
import { describeIssues, unstorableIn } from '../schema.ts';
import type { Step } from './scope.ts';

/** Below the 6 MB that Lambda takes of a whole event, and above any body that fits an item of 400 KB. */
export const maxBodyBytes = 4 * 1024 * 1024;

function parse<S extends v.GenericSchema>(schema: S, value: unknown, key: ErrorKey, root: string): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw new ServiceError(key, { details: detailsOf(describeIssues(result.issues, root)) });
}

function bodyBytes({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): number {
  return isBase64Encoded ? Math.floor(body.length * 0.75) : Buffer.byteLength(body);
}

const formats = {
  json: { contentType: 'application/json', parser: jsonBodyParser() },
  form: { contentType: 'application/x-www-form-urlencoded', parser: formBodyParser() },
} as const;

type Format = keyof typeof formats;

/** Turns what a parser throws into keys of the catalogue; its texts name the package, not the caller's mistake. */
function refusalOf(error: unknown, format: Format): unknown {
  if (!(error instanceof Error && 'statusCode' in error)) return error;
  if (error.statusCode === 415) {
    return new ServiceError('unsupported_media_type', {
      details: `the body must be sent as ${formats[format].contentType}`,
    });
  }
  return new ServiceError('invalid_payload', {
    details: error.message.startsWith('Forbidden key')
      ? 'the body must not have a key named __proto__, nor a constructor with a prototype'
      : 'the body must be JSON',
  });
}

/** The parsers put what they read in the place of the body: in an event of its own, so that ours stays as it came. */
async function parsedBody(request: Parameters<NonNullable<Step['before']>>[0], format: Format): Promise<unknown> {
  const copy = { ...request, event: { ...request.event, body: request.event.body ?? '' } };
  try {
    await formats[format].parser.before?.(copy);
  } catch (error) {
    throw refusalOf(error, format);
  }
  return copy.event.body;
}

const ignoredBody = { format: 'json', schema: v.unknown() } as const;

/** Checks params, query and body against the route's schemas; each place tells all of its violations at once. */
export function readInput(route: Route): Step {
  return {
    before: async (request) => {
      const { event, internal } = request;
      const { input } = internal.scope;
      if (route.params) {
        input.params = parse(route.params, event.pathParameters ?? {}, 'invalid_path_params', 'the path');
      }
      if (route.query) {
        const sent = Object.fromEntries(new URLSearchParams(event.rawQueryString));
        input.query = parse(route.query, sent, 'invalid_query_params', 'the query');
      }
      if (route.body === undefined) return;
      if (bodyBytes(event) > maxBodyBytes) {
        throw new ServiceError('payload_too_large', { details: `the body must have at most ${maxBodyBytes} bytes` });
      }
      const { format, schema } = route.body === 'ignored' ? ignoredBody : route.body;
      if (event.body) {
        input.body = await parsedBody(request, format);
      } else if (format === 'form') {
        input.body = {};
      } else if (route.body !== 'ignored') {
        throw new ServiceError('invalid_payload', { details: 'a JSON body is required' });
      }
      input.body = parse(schema, input.body, 'invalid_payload', 'the body');
      // Whatever field it is in, the table would refuse it: as our failure, not as the caller's.
      const faults = route.body === 'ignored' ? [] : [...unstorableIn(input.body)];
      if (faults.length > 0) throw new ServiceError('invalid_payload', { details: detailsOf(faults) });
    },
  };
}
