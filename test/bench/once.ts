import { type Comparison, type Contest, lambdaContext, recordingDependencies } from './compare.ts';
import { aboutTable, recordingClient } from './recorder.ts';
import { eventOf } from './subjects.ts';

/** Runs one turn of a subject from its sources, without a clock, to show that the bench can measure it. */
export async function takeOnce({ tables, operation, subject, world }: Contest): Promise<Comparison> {
  const recorder = recordingClient(tables.recorded.endpoint);
  try {
    const handle = operation.handler.with(recordingDependencies(tables.recorded.tableName, recorder.dynamodb));
    const { statusCode, body } = await handle(eventOf(operation, subject, 0, world), lambdaContext);
    const expected = subject.status ?? operation.route.reply.status;
    if (statusCode !== expected) throw new Error(`${operation.name} answered ${statusCode}: ${body}`);
    const waves = aboutTable(recorder.taken(), tables.recorded.tableName, tables.floor.tableName);
    const none = { p50: 0, p99: 0 };
    const calls = waves.reduce((sum, wave) => sum + wave.length, 0);
    const costs = { cpuMs: 0, floorCpuMs: 0, readUnits: 0, writeUnits: 0 };
    return { ours: none, floor: none, ratio: undefined, calls, trips: waves.length, ...costs };
  } finally {
    recorder.close();
  }
}
