import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from './commands.ts';

/** Synthesises the stage `dev` of the last release, or of the last commit while no release exists. */

const root = join(import.meta.dirname, '../..');

async function git(...args: string[]): Promise<string> {
  return (await runProgram('git', args, process.env)).trim();
}

/** Returns the last tag before this commit, or the commit before. Returns undefined in a clone without history. */
export async function findPrevious(): Promise<string | undefined> {
  const tag = await git('describe', '--tags', '--abbrev=0', 'HEAD^').catch(() => undefined);
  return tag ?? (await git('rev-parse', '--verify', '--quiet', 'HEAD^').catch(() => undefined));
}

export async function synthesisePrevious(commit: string, folder: string): Promise<string> {
  const tree = join(folder, 'tree');
  await git('worktree', 'add', '--detach', tree, commit);
  try {
    const [before, now] = await Promise.all(
      [tree, root].map((place) => readFile(join(place, 'package-lock.json'), 'utf8')),
    );
    // Equal packages need no second install.
    if (before === now) await symlink(join(root, 'node_modules'), join(tree, 'node_modules'));
    else await runProgram('npm', ['ci', '--no-audit', '--no-fund'], process.env, tree);
    const output = join(folder, 'assembly');
    const env = { ...process.env, TESSERA_BUNDLES: join(folder, 'bundles') };
    await runProgram('npm', ['run', '--silent', 'synth', '--', '--stage', 'dev', '--output', output], env, tree);
    return output;
  } finally {
    await git('worktree', 'remove', '--force', tree);
  }
}
