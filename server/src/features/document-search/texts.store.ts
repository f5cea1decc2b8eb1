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
  readonly words: ReadonlySet<string>;
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

interface Together {
  readonly firstPage: number;
  readonly words: Set<string>;
  bytes: number;
}

const putTogether = (pages: readonly PageText[]): Together[] => {
  const all: Together[] = [];
  for (const { page, words } of pages) {
    const bytes = [...words].reduce((sum, word) => sum + Buffer.byteLength(word), 0);
    const last = all.at(-1);
    const fits = last !== undefined && page < last.firstPage + pagesTogether && last.bytes + bytes <= maxBytesTogether;
    const part = fits ? last : { firstPage: page, words: new Set<string>(), bytes: 0 };
    if (!fits) all.push(part);
    for (const word of words) part.words.add(word);
    part.bytes += bytes;
  }
  return all;
};

/** The words are stored with the document's principals, so that an index answers for one of them alone. */
export const insertTexts = async (trx: Trx, id: string, pages: readonly PageText[]): Promise<void> => {
  const numbers = pages.map(({ page }) => page);
  const texts = pages.map(({ text }) => text);
  await sql`insert into document_page_text (document_id, page, text)
    select ${id}::uuid, page, text from unnest(${numbers}::int[], ${texts}::text[]) as given (page, text)
    on conflict do nothing`.execute(trx);
  for (const { firstPage, words } of putTogether(pages))
    await sql`insert into document_words (document_id, first_page, published_at, words)
      select id, ${firstPage}::int, published_at,
        array_to_tsvector(${[...words]}::text[] || array(select '@' || principal from (${sql.raw(recipientsOf('document.id'))}) as recipient))
      from document where id = ${id}::uuid on conflict do nothing`.execute(trx);
};
