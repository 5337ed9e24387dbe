import type { Schemas } from './api.ts';

export type Close = Schemas['PointsClose'];
export type CloseMonth = Close['months'][number];

export const isRunning = ({ status }: Close) => status === 'SCHEDULED' || status === 'IN_PROGRESS';
