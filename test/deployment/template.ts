/** Describes templates as far as the patches of the emulator's copy read them. */

export interface Resource {
  Type: string;
  Properties?: Record<string, unknown>;
  DependsOn?: string | string[];
  [attribute: string]: unknown;
}

export interface Template {
  Resources: Record<string, Resource>;
  [section: string]: unknown;
}

export function resourcesOf(template: Template, type: string): [string, Resource][] {
  return Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
}

/** Removes resources, and what depends on them by name. Throws if another resource still uses one of their values. */
export function removeResources(template: Template, ids: readonly string[]): void {
  for (const id of ids) delete template.Resources[id];
  for (const resource of Object.values(template.Resources)) {
    const left = [resource.DependsOn ?? []].flat().filter((id) => !ids.includes(id));
    if (left.length > 0) resource.DependsOn = left;
    else delete resource.DependsOn;
  }
  const text = JSON.stringify(template);
  const used = ids.find((id) => text.includes(`{"Ref":"${id}"}`) || text.includes(`{"Fn::GetAtt":["${id}"`));
  if (used !== undefined) throw new Error(`${used} cannot be left out: another part of the template uses it`);
}
