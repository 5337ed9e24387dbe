import type { Assembly } from './assembly.ts';
import type { Cloud } from './cloud.ts';
import { deploy, loadProject, type Outputs, type Shell } from './commands.ts';
import { type Front, openFront } from './front.ts';
import type { Place } from './walk.ts';

/** Deploys stages, and opens their addresses. */

export interface Stage extends Place {
  readonly name: string;
  readonly assembly: Assembly;
  readonly outputs: Outputs;
  readonly front: Front;
}

export interface World {
  readonly shell: Shell;
  readonly cloud: Cloud;
  /** Says what is done, with the time that it took. */
  readonly timed: <T>(what: string, run: () => Promise<T>) => Promise<T>;
}

/** Returns the address that callers use. The name of the domain is not registered, so its distribution is called. */
function callersAddress({ ApiUrl, DistributionDomain }: Outputs): string {
  return DistributionDomain === undefined ? ApiUrl : `http://${DistributionDomain}`;
}

/** Creates the stage from a synthesised assembly, and loads its first project. */
export async function createStage(world: World, name: string, assembly: Assembly): Promise<Stage> {
  const { shell, cloud, timed } = world;
  const outputs = await timed(`deploy ${name}`, () => deploy(shell, name, assembly.folder));
  const front = await openFront(callersAddress(outputs), shell.emulator.endpoint);
  const project = await loadProject(shell, outputs.TableName);
  const place = { shell, cloud, project, address: front.address, stack: `tessera-${name}`, table: outputs.TableName };
  return { ...place, name, assembly, outputs, front };
}

export async function updateStage(
  { shell, timed }: World,
  stage: Stage,
  what: string,
  assembly: Assembly,
): Promise<void> {
  const { TableName, ApiUrl } = await timed(what, () => deploy(shell, stage.name, assembly.folder));
  if (TableName !== stage.outputs.TableName) throw new Error(`the update has replaced the table ${stage.table}`);
  if (ApiUrl !== stage.outputs.ApiUrl) throw new Error(`the update has replaced the address ${stage.outputs.ApiUrl}`);
}
