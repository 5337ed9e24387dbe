import { credentialsOf, loadFile, projectFile, type TestProject } from './project.ts';

/** Loads a project with these settings. */
export async function loadSettings(settings: object, lists: Record<string, unknown> = {}): Promise<TestProject> {
  const file = projectFile(lists);
  const project = { ...file.project, ...settings };
  await loadFile({ ...file, project });
  return { id: project.id, credentials: credentialsOf(file), file: { ...file, project } };
}
