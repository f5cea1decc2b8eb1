import type { Mutation } from './row.ts';
import { access } from './rows/access.ts';
import { delivery } from './rows/delivery.ts';
import { edges } from './rows/edges.ts';
import { encryptionRows } from './rows/encryption.ts';
import { readingRows } from './rows/reading.ts';
import { signInRows } from './rows/sign-in.ts';
import { verdictRows } from './rows/verdicts.ts';

export const mutations: readonly Mutation[] = [
  ...access,
  ...signInRows,
  ...delivery,
  ...edges,
  ...encryptionRows,
  ...readingRows,
  ...verdictRows,
];
