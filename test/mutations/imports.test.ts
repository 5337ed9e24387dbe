import { expect, test } from 'vitest';
import { importersIn, testsOf } from './imports.ts';

const sources = new Map([
  ['lib/a/save.ts', ''],
  ['lib/a/use.ts', "import { type Other, save } from './save.ts';\n"],
  ['functions/things/save-thing.ts', "import {\n  use,\n} from '#a/use.ts';\n"],
  ['test/support/things.ts', "import { handler } from '../../functions/things/save-thing.ts';\n"],
  ['test/functions/others.test.ts', "import { handler } from '../../functions/things/save-thing.ts';\n"],
  ['test/functions/save-thing.test.ts', "import { handler } from '../../functions/things/save-thing.ts';\n"],
  ['test/functions/carts.test.ts', "import { things } from '../support/things.ts';\n"],
  ['test/lib/a/save.test.ts', "import { save } from '../../../lib/a/save.ts';\n"],
  ['test/lib/a/late.test.ts', "const { save } = await import('../../../lib/a/save.ts');\n"],
  ['test/lib/a/types.test.ts', "import type { Save } from '../../../lib/a/save.ts';\n"],
]);

test('tests of a source are the ones that run it, the nearest and likeliest first', () => {
  expect(testsOf('lib/a/save.ts', importersIn(sources))).toEqual([
    'test/lib/a/save.test.ts',
    'test/lib/a/late.test.ts',
    'test/functions/save-thing.test.ts',
    'test/functions/others.test.ts',
    'test/functions/carts.test.ts',
  ]);
});
