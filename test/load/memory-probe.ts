/**
 * Runs before the server's own start file (`--import`), so that the product does not know it. On request it reports to
 * its parent the memory after garbage collection. It ends the process when the parent has ended.
 */

function tellMemory(): void {
  // It runs twice: the second run frees what the first one finalizes.
  globalThis.gc?.();
  setImmediate(() => {
    globalThis.gc?.();
    process.send?.(process.memoryUsage());
  });
}

process.on('message', tellMemory);
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// The channel must not keep the process alive.
process.channel?.unref();
