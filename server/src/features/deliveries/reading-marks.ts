/**
 * When a document counts as read (F5), in one place: every page was marked by this person, and the reading was closed. The following are parts of
 * statements: `mark` is the alias of a row of `document_mark`, `pages` an expression for how many pages the document has. The pages of a mark are
 * pages of the document, each once.
 */

/** A condition; null where there is no mark. */
export const isRead = (mark: string, pages: string): string => `(${mark}.read_at is not null and cardinality(${mark}.pages) >= ${pages})`;

/** When both were so: an earlier release recorded closings of documents whose last page was reached later, or never. Null: not read. */
export const readAt = (mark: string, pages: string): string =>
  `case when ${isRead(mark, pages)} then greatest(${mark}.read_at,
    (select to_timestamp(max(at::float8) / 1000) from jsonb_each_text(${mark}.page_times) as reached (page, at))) end`;

/** When the reading was closed before its end, as an earlier release recorded it. Null: it was not, or the document was read since. */
export const closedAt = (mark: string, pages: string): string => `case when not ${isRead(mark, pages)} then ${mark}.read_at end`;
