import { defineConfig } from 'vitest/config';
import everyTest from '../../vitest.config.ts';

export default defineConfig({ ...everyTest, test: { ...everyTest.test, include: ['test/costs/measure.ts'] } });
