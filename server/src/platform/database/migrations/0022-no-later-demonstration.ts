import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements: readonly string[] = [
  `create function refuse_later_demo() returns trigger language plpgsql as $$
  begin
    raise exception 'a client of the organisation does not become one of the demonstration' using errcode = 'restrict_violation';
  end $$`,
  `create trigger client_stays_real before update of demo on client for each row
    when (new.demo and not old.demo) execute function refuse_later_demo()`,
];

/** What is kept of people of the demonstration may be removed, so nobody is made one of them: the organisation takes them up, and that is all. */
export const noLaterDemonstration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
