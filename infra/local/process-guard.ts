import { spawn } from 'node:child_process';

/**
 * A line on its input ends it, for the process has ended; the end of its input means that we have, by whatever signal.
 * The folder goes last: what the process still wrote there goes along.
 */
const script = 'read -r line || { kill -9 "$1"; [ -z "$2" ] || rm -rf "$2"; } 2>/dev/null';

/**
 * Ends a child of this process, and removes its folder, when this process is gone without having done so: a SIGKILL runs no
 * handler of ours. A shell waits for it, in a session of its own, so that what ends all of ours does not end it; where
 * there is none, nothing guards. Returns what is to be called when the child has ended.
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
