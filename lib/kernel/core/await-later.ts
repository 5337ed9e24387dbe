/** Keeps Node.js from ending the process if the promise fails before it is awaited. */
export function awaitLater<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return promise;
}
