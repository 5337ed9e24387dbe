import { keyText } from '../../lib/table/keys.ts';
import { type Call, conflicts, type Fault, faults, isWrite, type Plan } from './faults.ts';
import { keysWritten } from './table-state.ts';

/** Each number is a share of a hundred calls. */
const share = { throttled: 3, lost: 2, late: 1 } as const;

/** Holds the items of the call meanwhile, and changes nothing else. */
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
 * Plans the faults of AWS under load. Some calls are throttled, and some replies are lost. A write that meets a transaction on one of its
 * items is cancelled, which local engines never do.
 */
export function stormy(below: (bound: number) => number): Plan {
  const busy = new Map<string, number>();
  /** Transaction tokens that were sent. A repeated token returns the first outcome, whatever is in progress. */
  const sent = new Set<unknown>();
  const weather = (): Fault | undefined => {
    const drawn = below(100);
    if (drawn < share.throttled) return faults['is throttled'];
    if (drawn < share.throttled + share.lost) return faults['is carried out, and its reply is lost'];
    return drawn < share.throttled + share.lost + share.late ? faults['is delivered twice'] : undefined;
  };
  const keysOf = (call: Call) => (call.operation === 'BatchExecuteStatement' ? [] : keysWritten(call).map(keyText));
  return (call) => {
    const fault = weather();
    if (!isWrite(call)) return fault;
    const keys = keysOf(call);
    const token = call.body.ClientRequestToken;
    if (token !== undefined && sent.has(token)) return fault;
    if (keys.some((key) => busy.has(key))) return conflicts['meets another transaction'];
    if (call.operation !== 'TransactWriteItems') return fault;
    if (fault !== faults['is throttled']) sent.add(token);
    return holding(busy, keys, fault ?? passes);
  };
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
