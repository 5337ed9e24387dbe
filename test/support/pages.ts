import type { projectFile } from './project.ts';

export const page = 'https://shop.example';

type File = ReturnType<typeof projectFile>;

type ClientKey = ReturnType<typeof withPages>['client_keys'][0];

/** Gives a project file a key for the web pages of these origins. */
export function withPages<F extends File>(file: F, origins: readonly string[] = [page], name = 'Shop') {
  const { id } = file.project;
  const key = { client_application_id: `page-${id}`, client_token: `public-token-${id}`, name, origins };
  const client_keys: [typeof key] = [key];
  return { ...file, client_keys };
}

/** Returns the headers that a web page sends with each request. */
export function onPage({ client_keys: [key] }: { client_keys: readonly ClientKey[] }, origin = page) {
  return {
    'x-client-application-id': key?.client_application_id ?? '',
    'x-client-token': key?.client_token ?? '',
    origin,
  };
}
