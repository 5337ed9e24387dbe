import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

const lookEveryMs = 500;

interface Parentage {
  readonly parent: number;
  /** The program's name in the system's process table. */
  readonly command: string;
}

/** Parses the line of Linux, such as `123 (sh) S 122 …`. */
async function parentageInProc(pid: number): Promise<Parentage | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [, command, parent] = /\((.*)\) \S (\d+) /s.exec(stat) ?? [];
  return command === undefined ? undefined : { parent: Number(parent), command };
}

function parentageByPs(pid: number): Promise<Parentage | undefined> {
  return new Promise((done) => {
    execFile('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], (error, stdout) => {
      const [, parent, command = ''] = /^\s*(\d+)\s+(.*)/.exec(stdout) ?? [];
      done(error || parent === undefined ? undefined : { parent: Number(parent), command: command.trim() });
    });
  });
}

/** Returns the parent. If npm has put a shell between, it returns the shell's parent. */
async function launchersOf(pid: number): Promise<string> {
  const parentageOf = async (id: number) => (await parentageInProc(id)) ?? (await parentageByPs(id));
  const shell = await parentageOf(pid);
  return [pid, shell !== undefined && /sh$/.test(shell.command) ? shell.parent : undefined].join(' ');
}

/**
 * Calls `onGone` when the npm that runs this process as a script has ended. A SIGTERM of npm ends only the shell
 * between them, and a SIGKILL not even that. An orphaned process has another parent. Without npm nothing is watched,
 * because a process may outlive its shell.
 */
export async function watchLauncher(env: NodeJS.ProcessEnv, onGone: () => void): Promise<void> {
  if (env.npm_lifecycle_event === undefined) return;
  const launchers = await launchersOf(process.ppid);
  const look = async () => {
    if ((await launchersOf(process.ppid)) !== launchers) onGone();
    else setTimeout(look, lookEveryMs).unref();
  };
  setTimeout(look, lookEveryMs).unref();
}
