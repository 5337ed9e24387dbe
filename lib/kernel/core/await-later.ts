/** Keeps Node.js from ending the process if the promise fails before somebody awaits it. */
export function awaitLater<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return promise;
}
