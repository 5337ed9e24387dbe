import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Project } from '#kernel/access/projects/project.ts';
import { type Operation, operations } from '../../infra/operations.ts';
import { apiEvent, type Request } from '../support/api-event.ts';
import { particular } from './particular-subjects.ts';
import { copied, pageCredentials, projectFor } from './project.ts';

/** Subjects of each endpoint. A request that works only once has another variant at each turn. */

/** The resources that the requests name. */
export interface World {
  project: Project;
  /** Bearer tokens that are still valid, one per turn. */
  tokens: readonly string[];
}

export interface Subject {
  /** Printed next to the operation if it is measured in several ways. */
  way?: string;
  request: (turn: number, world: World) => Request;
  /** The expected status, unless it is the route's own. */
  status?: number;
  /** The limit of the median time, as a multiple of the floor's. */
  maxRatio?: number;
  /** The limit of calls that wait for each other. */
  maxTrips?: number;
  /**
   * The limit of the function's processor time, as a multiple of the floor's. Both are measured in the same turns, so that the machine does
   * not decide.
   */
  maxCpuRatio?: number;
}

const credentials = { 'x-app-id': 'demo-app', 'x-app-token': 'demo-token-for-local-use-only' };

const again: readonly string[] = [
  'add-member',
  'assign-reward',
  'assign-rewards',
  'assign-holders',
  'assign-campaign-holders',
];

/** Returns whether a turn uses up the resource of a path, or can change it only once. */
const isOnce = ({ name }: Operation) => name.startsWith('delete-') || again.includes(name);

/** Returns the project with everything that the turns use up. */
export function benchProject(): Promise<Record<string, unknown>> {
  return projectFor(operations.filter((operation) => isOnce(operation) && !(operation.name in particular)));
}

/** Returns the example. If its result may exist only once, each turn creates another example. */
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
/** The limit for a page of a list. */
const maxRatioOfList = 1.5;

export const isList = ({ name }: Operation) => name.startsWith('list-');

/** Returns the ways in which an operation is measured. An operation that mostly waits for a bucket has none. */
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

/** A web page has five calls in five seconds from one address, so each call has a new address. */
function newAddress(): string {
  addresses += 1;
  return ['10', addresses >> 16, addresses >> 8, addresses].map((part) => Number(part) & 255).join('.');
}

/** Makes the gateway's event, with the credentials that the route needs. */
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

/** Measures a page of the example's list. */
export function listAt(operation: Operation, query: string): Subject {
  const { params } = operation.route.example;
  return { request: () => ({ ...(params ? { params } : {}), query }) };
}
