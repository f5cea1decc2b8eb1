import * as z from 'zod/mini';

const classes = ['private', 'statement', 'public'] as const;

/** The shortest retention of a class of documents: received ones, statements, public ones. A class without a number has none. */
export type RetentionYears = Readonly<Partial<Record<(typeof classes)[number], number>>>;

const rows = (written: string): [name: string, years: string][] =>
  written
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => {
      const [name = '', years = ''] = item.split(/=(.*)/s);
      return [name.trim(), years.trim()];
    });

const isRow = ([name, years]: [string, string]): boolean => classes.some((known) => known === name) && /^(?:[1-9]|[1-9]\d)$/.test(years);

const isOnce = (all: readonly [string, string][]): boolean => new Set(all.map(([name]) => name)).size === all.length;

export const retentionYears = z.pipe(
  z.string().check(
    z.refine((written) => rows(written).every(isRow) && isOnce(rows(written)), {
      error: 'not of the form private=10,statement=6,public=1, each once and from 1 to 99 years',
    }),
  ),
  z.transform((written): RetentionYears => Object.fromEntries(rows(written).map(([name, years]) => [name, Number(years)]))),
);
