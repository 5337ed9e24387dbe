import { spawn } from 'node:child_process';

/**
 * A line on its input ends the guard, because the process has ended. The end of its input means that our process has
 * ended, by any signal. The folder is removed last, with everything that the process still wrote.
 */
const script = 'read -r line || { kill -9 "$1"; [ -z "$2" ] || rm -rf "$2"; } 2>/dev/null';

/**
 * Ends a child of this process and removes its folder if this process ends without doing so. A SIGKILL runs no handler
 * of ours. A shell waits for it in a session of its own, so that signals to our group do not end it. Without a shell
 * nothing guards. Returns a function to call when the child has ended.
 */
export function guard(pid: number, folder: string | undefined): () => void {
  const shell = spawn('sh', ['-c', script, 'guard', String(pid), folder ?? ''], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ignore = () => {};
  shell.on('error', ignore);
  shell.stdin.on('error', ignore);
  shell.unref();
  return () => {
    shell.stdin.end('ended\n');
  };
}
