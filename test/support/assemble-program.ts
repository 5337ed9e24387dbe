import { assemble } from '../../infra/operator/migrate/assemble.ts';
import { Progress } from '../../infra/operator/migrate/state.ts';

/** Makes the project file of a folder, in a process whose memory the test limits. */
const [, , folder = '', from = '', project = ''] = process.argv;
const { notes } = await assemble(await Progress.open(folder, { from, project }), { id: project, name: 'Copy' });
process.stdout.write(JSON.stringify(notes.lines));
