import * as z from 'zod/mini';

const classes = ['private', 'statement', 'public'] as const;

/** A value for each class of documents: received ones, statements, public ones. A class that is left out has none. */
export type PerClass<Value> = Readonly<Partial<Record<(typeof classes)[number], Value>>>;

const rows = (written: string): [name: string, value: string][] =>
  written
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => {
      const [name = '', value = ''] = item.split(/=(.*)/s);
      return [name.trim(), value.trim()];
    });

const isOnce = (all: readonly [string, string][]): boolean => new Set(all.map(([name]) => name)).size === all.length;

/** A setting like `private=10,statement=6`, each class at most once. */
export const perClass = <Value>(valueOf: (written: string) => Value | undefined, error: string) => {
  const isRow = ([name, value]: [string, string]): boolean => classes.some((known) => known === name) && valueOf(value) !== undefined;
  return z.pipe(
    z.string().check(z.refine((written) => rows(written).every(isRow) && isOnce(rows(written)), { error })),
    z.transform((written): PerClass<Value> => Object.fromEntries(rows(written).map(([name, value]) => [name, valueOf(value)]))),
  );
};
