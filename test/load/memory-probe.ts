/**
 * Imported before the server's own start file (`--import`), so that the product knows nothing of it: tells its parent on
 * request what the process holds once all garbage is gone, and ends the process when the parent is gone.
 */

function tellMemory(): void {
  // Twice: what the first run finalises, the second frees.
  globalThis.gc?.();
  setImmediate(() => {
    globalThis.gc?.();
    process.send?.(process.memoryUsage());
  });
}

process.on('message', tellMemory);
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// It keeps no process from ending.
process.channel?.unref();
