import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type Operation, operations } from '../../infra/operations.ts';
import type { Project } from '../../lib/http/projects/project.ts';
import { apiEvent, type Request } from '../support/api-event.ts';
import { particular } from './particular-subjects.ts';
import { copied, pageCredentials, projectFor } from './project.ts';

/** What is measured of each endpoint. Whatever may be done once only is another one at each turn. */

/** What the requests are about. */
export interface World {
  project: Project;
  /** Bearer tokens that are in time, one a turn. */
  tokens: readonly string[];
}

export interface Subject {
  /** Shown beside the operation where it is measured in more than one way. */
  way?: string;
  request: (turn: number, world: World) => Request;
  /** Answered instead of the route's own status. */
  status?: number;
  /** Of the median time to that of the floor. */
  maxRatio?: number;
  /** Of calls that wait for each other. */
  maxTrips?: number;
  /** Of the function's processor time, in milliseconds. */
  maxCpuMs?: number;
}

const credentials = { 'x-app-id': 'demo-app', 'x-app-token': 'demo-token-for-local-use-only' };

const again: readonly string[] = [
  'add-member',
  'assign-reward',
  'assign-rewards',
  'assign-holders',
  'assign-campaign-holders',
];

/** What a path names is used up by a turn, or can have it done to it only once. */
const isOnce = ({ name }: Operation) => name.startsWith('delete-') || again.includes(name);

/** The project with all that the turns use up. */
export function benchProject(): Promise<Record<string, unknown>> {
  return projectFor(operations.filter((operation) => isOnce(operation) && !(operation.name in particular)));
}

/** The example; where what it makes may be there once only, another one at each turn. */
function varied(operation: Operation): Subject['request'] {
  const { example, errors } = operation.route;
  const { body } = example;
  const params = Object.entries(example.params ?? {});
  const unique = errors.includes('duplicate_found') ? ['name', 'source_id', 'code', 'email'] : [];
  const texts = Object.entries(Object(body)).filter(([field, text]) => unique.includes(field) && text !== undefined);
  return (turn) => ({
    ...example,
    ...(isOnce(operation)
      ? { params: Object.fromEntries(params.map(([name, text]) => [name, copied(text, operation, turn)])) }
      : {}),
    ...(texts.length > 0
      ? { body: { ...Object(body), ...Object.fromEntries(texts.map(([field, text]) => [field, `${turn}-${text}`])) } }
      : {}),
  });
}
/** Of a page of a list. */
const maxRatioOfList = 1.5;

export const isList = ({ name }: Operation) => name.startsWith('list-');

/** In what ways an operation is measured; not where most of the time is a bucket's. */
export function subjectsOf(operation: Operation): Subject[] {
  if (operation.route.files) return [];
  const usual = isList(operation) ? { maxRatio: maxRatioOfList } : {};
  return (particular[operation.name] ?? [{}]).map((one) => ({ request: varied(operation), ...usual, ...one }));
}

function credentialsFor({ authentication }: Operation['route']): Record<string, string> {
  if (authentication === 'client') return pageCredentials;
  return authentication === 'none' ? {} : credentials;
}

let addresses = 0;

/** A page has five calls in five seconds from one address. */
function newAddress(): string {
  addresses += 1;
  return ['10', addresses >> 16, addresses >> 8, addresses].map((part) => Number(part) & 255).join('.');
}

/** As the gateway sends it, with the credentials that the route asks for. */
export function eventOf(
  { route }: Operation,
  { request }: Subject,
  turn: number,
  world: World,
): APIGatewayProxyEventV2 {
  const { headers, ...wanted } = request(turn, world);
  const event = apiEvent(route, {
    ...wanted,
    headers: { ...credentialsFor(route), ...headers },
    sourceIp: newAddress(),
  });
  if (route.authentication === 'management') {
    const iam = { userArn: 'arn:aws:iam::123456789012:user/bench' };
    Object.assign(event.requestContext, { authorizer: { iam } });
  }
  return event;
}

/** A page of what the example asks for. */
export function listAt(operation: Operation, query: string): Subject {
  const { params } = operation.route.example;
  return { request: () => ({ ...(params ? { params } : {}), query }) };
}
