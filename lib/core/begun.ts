/** Begins what is awaited later: where something else fails first, nobody waits for it, and Node would end the process for its failure. */
export function begun<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return promise;
}
