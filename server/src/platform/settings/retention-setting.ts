import { type PerClass, perClass } from './class-values.ts';

/** The shortest retention of a class of documents. A class without a number has none. */
export type RetentionYears = PerClass<number>;

export const retentionYears = perClass(
  (written) => (/^(?:[1-9]|[1-9]\d)$/.test(written) ? Number(written) : undefined),
  'not of the form private=10,statement=6,public=1, each once and from 1 to 99 years',
);
