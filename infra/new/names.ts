import { Complaint } from '../command-line.ts';
import type { House } from './places.ts';

/** An operation to write, with checked and free names. */
export interface NewOperation {
  readonly family: string;
  /** The name of its file, such as `count-locations`. */
  readonly name: string;
  readonly useCaseFile: string;
  readonly scope: string;
}

export interface NewResource {
  /** The name in words with hyphens, such as `gift-box`. */
  readonly name: string;
  readonly plural: string;
  readonly file: string;
  readonly scope: string;
}

/** Choices of the caller, each with a default. */
interface Choices {
  readonly room?: string | undefined;
  readonly scope?: string | undefined;
}

const usualRoom = 'catalogue';

/** Turns `gift-box` into `giftBox`. */
export function camelCase(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Turns `gift-box` into `GiftBox`. */
export function pascalCase(name: string): string {
  return camelCase(`-${name}`);
}

/** Turns `gift-box` into `gift_box`. */
export function snakeCase(name: string): string {
  return name.replaceAll('-', '_');
}

/** Turns `gift-box` into `gift box`. */
export function inWords(name: string): string {
  return name.replaceAll('-', ' ');
}

/** Returns the regular plural of a name. */
export function pluralOf(name: string): string {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  if (/lf$/.test(name)) return `${name.slice(0, -1)}ves`;
  return /(?:s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}

function checkForm(what: string, name: string, example: string): void {
  if (/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name)) return;
  throw new Complaint(`${what} "${name}" must be lower-case words with hyphens, such as ${example}.`);
}

function findRoom(house: House, room: string): string {
  const folder = house.roomNames.includes(room) ? house.rooms.get(room) : undefined;
  if (folder) return folder;
  throw new Complaint(`lib has no room "${room}" for use cases. Name one of ${house.roomNames.join(', ')}.`);
}

function findScope(house: House, given: string | undefined, folder: string): string {
  const scope = given ?? house.scopeOfRoom(folder);
  if (scope !== undefined && house.scopes.includes(scope)) return scope;
  throw new Complaint(`No operation has the scope "${scope}". Name one of ${house.scopes.join(', ')} by --scope.`);
}

/** Rejects names that files of lib already export, because an exported name has a single meaning there. */
function checkExports(house: House, names: readonly string[]): string[] {
  return [...house.sources].flatMap(([path, text]) =>
    names
      .filter((name) => path.startsWith('lib/') && new RegExp(`^export [\\w ]*\\b${name}\\b`, 'm').test(text))
      .map((name) => `${path} exports ${name}`),
  );
}

function checkFree(house: House, subject: string, paths: readonly string[], taken: readonly string[] = []): void {
  const faults = [...paths.filter((path) => house.sources.has(path)).map((path) => `${path} exists`), ...taken];
  if (faults.length > 0) throw new Complaint(`${subject} cannot be new. Choose another name:`, faults);
}

/** Reads `FAMILY/NAME`, and rejects what is badly formed or in use. */
export function checkOperation(house: House, given: string, { room, scope }: Choices = {}): NewOperation {
  const [family = '', name = '', ...more] = given.split('/');
  if (name === '' || more.length > 0)
    throw new Complaint(`"${given}" must be FAMILY/NAME, such as locations/count-locations.`);
  checkForm('The family', family, 'locations');
  checkForm('The name', name, 'count-locations');
  const folder = findRoom(house, room ?? house.roomOfFamily(family) ?? usualRoom);
  const isFamilyKnown = [...house.sources.keys()].some((path) => path.startsWith(`functions/${family}/`));
  const ofFamily = house.scopeOfFamily(family);
  if (isFamilyKnown && ofFamily === undefined)
    throw new Complaint(`Operations of ${family} are not for app keys. Copy one of them in place of this command.`);
  const useCaseFile = `${folder}/${name}.ts`;
  const operations = [...house.sources.keys()].filter((path) => /^functions\/[^/]+\/[^/]+$/.test(path));
  const sameName = operations.filter((path) => path.endsWith(`/${name}.ts`));
  checkFree(
    house,
    `The operation ${name}`,
    [useCaseFile, `test/functions/${name}.test.ts`],
    [
      ...sameName.map((path) => `${path} exists`),
      ...checkExports(house, [camelCase(name), `${camelCase(name)}Query`, `${camelCase(name)}Reply`]),
    ],
  );
  return { family, name, useCaseFile, scope: findScope(house, scope ?? ofFamily, folder) };
}

/** Checks the name of a resource and its plural, and rejects what is badly formed or in use. */
export function checkResource(
  house: House,
  name: string,
  plural: string,
  { room = usualRoom, scope }: Choices = {},
): NewResource {
  checkForm('The name', name, 'gift-box');
  checkForm('The plural', plural, 'gift-boxes');
  if (plural === name)
    throw new Complaint(`The plural "${plural}" must differ from the name. Name another by --plural.`);
  const folder = findRoom(house, room);
  const file = `${folder}/${plural}/resource.ts`;
  const families = [...house.sources.keys()].filter((path) => path.startsWith(`functions/${plural}/`));
  const kinds = [...house.sources].filter(([, text]) => text.includes(`'${snakeCase(name).toUpperCase()}'`));
  checkFree(
    house,
    `The resource ${name}`,
    [file, `test/functions/${plural}.test.ts`],
    [
      ...families.slice(0, 1).map(() => `functions/${plural} exists`),
      ...kinds.map(([path]) => `${path} names the kind ${snakeCase(name).toUpperCase()}`),
      ...checkExports(house, [camelCase(name)]),
    ],
  );
  return { name, plural, file, scope: findScope(house, scope, folder) };
}
