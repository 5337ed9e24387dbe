import { describeLateWrites } from '../support/late-cases.ts';

describeLateWrites(0);
