import { sql } from 'kysely';
import { isThere, recipientsOf } from '#features/deliveries/deliveries.door.ts';
import type { Db, Trx } from '#platform/database/schema.ts';

export interface UnreadDocument {
  readonly id: string;
  readonly object_key: string;
  readonly sha256: string;
  readonly page_count: number;
}

export interface PageText {
  readonly page: number;
  readonly text: string;
  /** The words first, then their stems. */
  readonly lexemes: ReadonlySet<string>;
}

/** Pages whose words are kept together: a search for several words finds them on any of these. */
export const pagesTogether = 50;
/** PostgreSQL keeps less than a megabyte of words together. */
const maxBytesTogether = 900_000;

/** The newest document whose text is neither indexed nor being read, locked until the transaction ends. */
export const claimUnread = async (trx: Trx, except: readonly string[]): Promise<UnreadDocument | undefined> => {
  // Not `for update`: that would keep marks of the document waiting.
  const { rows } = await sql<UnreadDocument>`
    select id, object_key, sha256, page_count from document
    where text_read_at is null and published_at is not null and ${sql.raw(isThere('document'))} and id <> all(${except}::uuid[])
    order by published_at desc limit 1 for no key update skip locked`.execute(trx);
  return rows[0];
};

export const markTextRead = async (db: Db, id: string): Promise<void> => {
  await sql`update document set text_read_at = now() where id = ${id}::uuid`.execute(db);
};

/** What was read of it before; nothing when it was not, or has no text. */
export const listTexts = (trx: Trx, id: string): Promise<{ page: number; text: string }[]> =>
  trx.selectFrom('document_page_text').select(['page', 'text']).where('document_id', '=', id).orderBy('page').execute();

interface Together {
  readonly firstPage: number;
  readonly lexemes: Set<string>;
  bytes: number;
}

/** A page that says more than can be kept together is found by what it says first. */
const fittingOf = (lexemes: ReadonlySet<string>): { lexemes: Set<string>; bytes: number } => {
  const fitting = new Set<string>();
  let bytes = 0;
  for (const lexeme of lexemes) {
    const size = Buffer.byteLength(lexeme);
    if (bytes + size > maxBytesTogether) break;
    fitting.add(lexeme);
    bytes += size;
  }
  return { lexemes: fitting, bytes };
};

const putTogether = (pages: readonly PageText[]): Together[] => {
  const parts: Together[] = [];
  for (const { page, lexemes: all } of pages) {
    const { lexemes, bytes } = fittingOf(all);
    const last = parts.at(-1);
    const fits = last !== undefined && page < last.firstPage + pagesTogether && last.bytes + bytes <= maxBytesTogether;
    const part = fits ? last : { firstPage: page, lexemes: new Set<string>(), bytes: 0 };
    if (!fits) parts.push(part);
    for (const lexeme of lexemes) part.lexemes.add(lexeme);
    part.bytes += bytes;
  }
  return parts;
};

/** In place of what was kept. The words stand with the document's principals, so that an index answers for one of them alone. */
export const putTexts = async (trx: Trx, id: string, pages: readonly PageText[]): Promise<void> => {
  const numbers = pages.map(({ page }) => page);
  const texts = pages.map(({ text }) => text);
  await sql`insert into document_page_text (document_id, page, text)
    select ${id}::uuid, page, text from unnest(${numbers}::int[], ${texts}::text[]) as given (page, text)
    on conflict do nothing`.execute(trx);
  await trx.deleteFrom('document_words').where('document_id', '=', id).execute();
  for (const { firstPage, lexemes } of putTogether(pages))
    await sql`insert into document_words (document_id, first_page, published_at, words)
      select id, ${firstPage}::int, published_at,
        array_to_tsvector(${[...lexemes]}::text[] || array(select '@' || principal from (${sql.raw(recipientsOf('document.id'))}) as recipient))
      from document where id = ${id}::uuid`.execute(trx);
};
