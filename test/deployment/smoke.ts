import { runOperator } from './commands.ts';
import type { Place } from './walk.ts';

/** Runs the operators' own check. Returns its last line, such as "35 of 35 calls answered as they should". */
export async function smoke({ shell, project, address }: Place): Promise<string> {
  const env = { APP_ID: project.appId, APP_TOKEN: project.appToken };
  const printed = await runOperator(shell, ['infra/operator/smoke.ts', address], env);
  return /(\d+) of \1 calls/.exec(printed)?.[0] ?? printed;
}
