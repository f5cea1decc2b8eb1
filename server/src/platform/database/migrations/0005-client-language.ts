import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const column = `text not null default 'PL' check (language in ('PL', 'EN'))`;

const statements = [
  `alter table client add column language ${column}`,
  `alter table client add column chosen_language text check (chosen_language in ('PL', 'EN'))`,
  `alter table sign_in_transaction add column language ${column}`,
];

export const clientLanguage: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
