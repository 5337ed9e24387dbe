import { keyText } from '#kernel/table/keys.ts';
import { type Call, conflicts, type Fault, faults, isWrite, type Plan, withForgottenToken } from './faults.ts';
import { keysWritten } from './table-state.ts';

/** Each number is a share of a hundred calls. */
const share: Readonly<Record<'throttled' | 'lost' | 'doubled' | 'late' | 'again', number>> = {
  throttled: 3,
  lost: 2,
  doubled: 1,
  late: 2,
  again: 1,
};

/** A late attempt arrives after at most this number of further calls. */
const longestDelayInCalls = 150;

/** Holds the items of the call during it, and changes nothing else. */
function holding(busy: Map<string, number>, keys: readonly string[], then: Fault): Fault {
  return async (exchange) => {
    for (const key of keys) busy.set(key, (busy.get(key) ?? 0) + 1);
    try {
      await then(exchange);
    } finally {
      for (const key of keys) {
        const left = (busy.get(key) ?? 1) - 1;
        if (left === 0) busy.delete(key);
        else busy.set(key, left);
      }
    }
  };
}

const passes: Fault = async ({ forward, reply }) => reply(await forward());

/**
 * Plans the faults of AWS under load. Some calls are throttled, and some replies are lost. Some writes are given up and carried out after
 * their repetition, and some are carried out again later. A write that meets a transaction on one of its items is cancelled, which local
 * engines never do. `deliver` carries out what is still under way.
 */
export function stormy(
  below: (bound: number) => number,
  { late: lateShare = share.late } = {},
): Plan & { readonly deliver: () => Promise<void> } {
  const busy = new Map<string, number>();
  const late: { readonly at: number; readonly send: () => Promise<unknown> }[] = [];
  let calls = 0;
  const later = (send: () => Promise<unknown>) => {
    late.push({ at: calls + 1 + below(longestDelayInCalls), send });
  };
  /** DynamoDB remembers a token for ten minutes, so that only some attempts arrive with a forgotten token. */
  const bodyOf = (call: Call) => (below(2) === 0 ? withForgottenToken(call) : call.body);
  const arrivesLate: Fault = ({ call, forward, cut }) => {
    const body = bodyOf(call);
    later(() => forward(body));
    cut();
  };
  const arrivesAgain: Fault = async ({ call, forward, reply }) => {
    reply(await forward());
    const body = bodyOf(call);
    later(() => forward(body));
  };
  const deliver = async (until = Number.POSITIVE_INFINITY) => {
    const due = late.filter(({ at }) => at <= until);
    for (const one of due) late.splice(late.indexOf(one), 1);
    for (const { send } of due) await send().catch(() => undefined);
  };
  /** Transaction tokens that were sent. A repeated token returns the first outcome, whatever is in progress. */
  const sent = new Set<unknown>();
  const weather = (isWriting: boolean): Fault | undefined => {
    let drawn = below(100);
    const isIn = (part: number) => {
      drawn -= part;
      return drawn < 0;
    };
    if (isIn(share.throttled)) return faults['is throttled'];
    if (isIn(share.lost)) return faults['is carried out, and its reply is lost'];
    if (isIn(share.doubled)) return faults['is delivered twice'];
    if (!isWriting) return undefined;
    if (isIn(lateShare)) return arrivesLate;
    return isIn(share.again) ? arrivesAgain : undefined;
  };
  const keysOf = (call: Call) => (call.operation === 'BatchExecuteStatement' ? [] : keysWritten(call).map(keyText));
  const plan: Plan = (call) => {
    calls += 1;
    void deliver(calls);
    const fault = weather(isWrite(call));
    if (!isWrite(call)) return fault;
    const keys = keysOf(call);
    const token = call.body.ClientRequestToken;
    if (token !== undefined && sent.has(token)) return fault;
    if (keys.some((key) => busy.has(key))) return conflicts['meets another transaction'];
    if (call.operation !== 'TransactWriteItems') return fault;
    if (fault !== faults['is throttled'] && fault !== arrivesLate) sent.add(token);
    return holding(busy, keys, fault ?? passes);
  };
  return Object.assign(plan, { deliver: () => deliver() });
}

/** Makes an engine that carries out one call at a time, like a small machine. `work` is the extra work per call. */
export function oneLane(below: Plan = () => undefined, work = 0): Plan {
  let last: Promise<unknown> = Promise.resolve();
  const inLane = <R>(call: () => Promise<R>): Promise<R> => {
    const own = last.then(call);
    last = own.catch(() => undefined);
    return own;
  };
  return (call) => {
    const fault = below(call) ?? passes;
    return (exchange) => {
      const forward: typeof exchange.forward = (body) =>
        inLane(async () => {
          for (let extra = 0; extra < work && !isWrite(call); extra++) await exchange.forward(body);
          return exchange.forward(body);
        });
      return fault({ ...exchange, forward });
    };
  };
}
