import * as z from 'zod/mini';

const databaseUrl = z.string().check(
  z.minLength(1),
  z.refine((written) => /^postgres(ql)?:\/\//.test(written) && URL.canParse(written), {
    error: 'not an address like postgres://user:password@host/database',
  }),
);

export const databaseSettingRows = {
  DATABASE_URL: {
    doc: 'PostgreSQL 15 or newer to use instead of the embedded one.',
    schema: databaseUrl,
    standard: undefined,
  },
  DATABASE_MIGRATION_URL: {
    doc: 'The same database as its owner, for migrations alone; DATABASE_URL may then be a role that owns nothing. Left out: DATABASE_URL owns it.',
    schema: databaseUrl,
    standard: undefined,
  },
  DATABASE_READ_URL: {
    doc: 'A read replica of the same database: lists and searches read from it. Left out: DATABASE_URL answers everything.',
    schema: databaseUrl,
    standard: undefined,
  },
} as const;

interface Written {
  readonly DATABASE_URL?: string | undefined;
  readonly DATABASE_MIGRATION_URL?: string | undefined;
  readonly DATABASE_READ_URL?: string | undefined;
}

/** Why these do not fit together; undefined when they do. */
export const databaseProblem = ({ DATABASE_URL: url, ...others }: Written): string | undefined => {
  if (url !== undefined) return undefined;
  const alone = (['DATABASE_MIGRATION_URL', 'DATABASE_READ_URL'] as const).find((name) => others[name] !== undefined);
  return alone === undefined ? undefined : `${alone}: set DATABASE_URL too. The embedded PostgreSQL needs neither.`;
};
