import { mkdtemp, rename, rm } from 'node:fs/promises';
import { type CheckedFile, checkFile } from '#addons/admin/project-file/check.ts';
import { ProjectFileError } from '#addons/admin/project-file/faults.ts';
import { Spool } from '#addons/admin/project-file/spool.ts';
import { nameEntry, toEntry } from './known.ts';
import { Notes } from './notes.ts';
import type { Row } from './pages.ts';
import { entriesOf } from './read-back.ts';
import type { Progress } from './state.ts';

/** Makes a project file of everything that was read. */

interface Project {
  readonly id: string;
  readonly name: string;
}

/** The fields of entries that a check refused, by list and index. A fault of the whole entry has no field. */
type Refused = ReadonlyMap<string, ReadonlyMap<string, string>>;

const place = /^(\w+\[\d+\])(?:\.([\w-]+))?/;

/** A voucher without its campaign would be another voucher. */
const whole: ReadonlySet<string> = new Set(['vouchers.campaign_id', 'vouchers.type', 'vouchers.code']);

function listRefused(error: ProjectFileError): Map<string, Map<string, string>> {
  const refused = new Map<string, Map<string, string>>();
  for (const fault of error.faults) {
    const [, at, field = ''] = place.exec(fault) ?? [];
    if (at === undefined) throw error;
    const own = refused.get(at) ?? new Map<string, string>();
    refused.set(at, own);
    own.set(field, fault.slice(at.length).replace(/^\./, '').trim());
  }
  return refused;
}

/** Returns the entry without refused fields, or nothing if it can't be without them. */
function withoutRefused(list: string, entry: Row, fields: ReadonlyMap<string, string>, notes: Notes): Row | undefined {
  const name = String(entry.code ?? entry.id ?? entry.name ?? '');
  const isWhole = [...fields.keys()].some((field) => field === '' || whole.has(`${list}.${field}`));
  const others = Object.fromEntries(Object.entries(entry).filter(([field]) => !fields.has(field)));
  const rest = isWhole ? undefined : toEntry(list, others, new Notes());
  for (const fault of fields.values()) {
    notes.add(`${list} ${rest ? 'without a field' : 'left out'}, because ${fault.replaceAll(/\[\d+\]/g, '[]')}`, name);
  }
  return rest;
}

async function write(progress: Progress, project: Project, before: readonly Refused[], notes: Notes): Promise<string> {
  const folder = await mkdtemp(progress.path('.file-'));
  const spool = new Spool(folder);
  const path = progress.path('project.json');
  try {
    const counts = before.map(() => new Map<string, number>());
    for await (const { list, value, lost = [] } of entriesOf(progress)) {
      for (const fact of lost) notes.add(fact, nameEntry(value));
      let entry = toEntry(list, value, notes);
      for (const [round, refused] of before.entries()) {
        if (!entry) break;
        const index = counts[round]?.get(list) ?? 0;
        counts[round]?.set(list, index + 1);
        const fields = refused.get(`${list}[${index}]`);
        if (fields) entry = withoutRefused(list, entry, fields, notes);
      }
      if (entry) await spool.add(list, entry);
    }
    await rename(await spool.finish({ ...project }), path);
    return path;
  } finally {
    await spool.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Entries that name refused entries are refused in the next round. */
const rounds = 6;

interface Assembled {
  readonly checked: CheckedFile;
  readonly notes: Notes;
}

/** Writes the project file without entries that it could not have, and notes each of them. */
export async function assemble(
  progress: Progress,
  project: Project,
  stored: Parameters<typeof checkFile>[1] = async () => undefined,
): Promise<Assembled> {
  const before: Refused[] = [];
  for (;;) {
    const notes = new Notes();
    const path = await write(progress, project, before, notes);
    try {
      const checked = await checkFile(path, stored);
      for (const note of checked.notes) notes.add(note);
      return { checked, notes };
    } catch (error) {
      if (!(error instanceof ProjectFileError) || before.length === rounds) throw error;
      before.push(listRefused(error));
    }
  }
}
