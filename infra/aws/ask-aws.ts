import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Holds the reply of AWS, or its refusal in its own words. `isMissing` means that the AWS CLI is not installed. */
export type AwsReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly why: string; readonly isMissing?: true };

/** Makes one call, named as the AWS CLI names it: `['sts', 'get-caller-identity']`. */
export type AskAws = (args: readonly string[]) => Promise<AwsReply>;

/** A call that hangs says nothing about the account. */
const patienceInMs = 60_000;

function wordsOf(error: unknown): string {
  const stderr = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr).trim() : '';
  return stderr || (error instanceof Error ? error.message : String(error));
}

/** Asks by the AWS CLI, which finds credentials and region as the operator's other commands do. */
export function askByCli({ profile, command = 'aws' }: { profile?: string; command?: string } = {}): AskAws {
  const common = ['--output', 'json', '--no-cli-pager', ...(profile === undefined ? [] : ['--profile', profile])];
  return async (args) => {
    try {
      const { stdout } = await promisify(execFile)(command, [...args, ...common], {
        timeout: patienceInMs,
        maxBuffer: 64 * 1024 * 1024,
      });
      return { ok: true, value: stdout.trim() === '' ? undefined : JSON.parse(stdout) };
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      return isMissing
        ? { ok: false, why: 'the AWS CLI is not installed', isMissing }
        : { ok: false, why: wordsOf(error) };
    }
  };
}
