import * as v from 'valibot';
import { describeIssues } from './issues.ts';

/** Names faults without their values. The environment holds credentials, and Lambda logs all that an error carries. */
export function readEnvironment<S extends v.GenericSchema>(schema: S, env: NodeJS.ProcessEnv): v.InferOutput<S> {
  const { success, output, issues } = v.safeParse(schema, env);
  if (success) return output;
  throw new Error(`the environment is not valid: ${describeIssues(issues, 'it').join('; ')}`);
}
