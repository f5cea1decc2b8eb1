import type { Pool } from 'pg';
import { bitsOf, gramsOf } from './blocks.rules.ts';
import type { Span, Whereabouts } from './spans.ts';

type Queryable = Pick<Pool, 'query'>;

/** From so many on deliveries that are in no block yet are made some of. */
const longestTail = 512;

/** Deliveries of one day are looked at together. */
const aroundNew = '12 hours';

export interface Narrowed {
  /** When to look, of each principal; of one that is not in it always. */
  readonly spans: ReadonlyMap<string, readonly Span[]>;
  /** Of words that stand for the same: which of them to look for, and when, of each principal. */
  readonly whereabouts: ReadonlyMap<string, Whereabouts>;
  /** Those who have so many new deliveries that blocks of them are worth while. */
  readonly uncovered: readonly string[];
}

interface BlocksRow {
  readonly principal: string;
  readonly tail: number;
  readonly isNarrow: boolean;
  readonly firsts: readonly string[] | null;
  readonly lasts: readonly string[] | null;
  /** Of each word: whether that is known, and the first and last moment, or null. */
  readonly areRare: readonly boolean[];
  readonly wordFirsts: readonly (string | null)[];
  readonly wordLasts: readonly (string | null)[];
}

const nothing: Narrowed = { spans: new Map(), whereabouts: new Map(), uncovered: [] };

/**
 * When deliveries were published whose text can have, of each of the lists of folded words, at least one. Whatever came after the last block is
 * within the spans. Nothing is found by this, and nothing missed: what is told of a block holds for all that it has.
 */
export const findSpans = async (
  pool: Queryable,
  principals: readonly string[],
  wanted: readonly (readonly string[])[],
): Promise<Narrowed> => {
  const values: unknown[] = [principals];
  const add = (value: unknown): string => `$${values.push(value)}`;
  const conditions = wanted
    .map((words) => words.map((word) => ({ word, bits: bitsOf(word) })))
    .filter((words) => words.every(({ bits }) => bits.length > 0));
  if (conditions.length === 0) return nothing;
  const all = conditions.flat();
  // A bitmap fills half a page, and so is not carried on.
  const looked = all.map(({ bits }, index) => `${bits.map((bit) => `get_bit(grams, ${add(bit)}::int) = 1`).join(' and ')} as has_${index}`);
  const has = new Map(all.map(({ word }, index) => [word, `has_${index}`]));
  const fits = conditions.map((words) => `(${words.map(({ word }) => has.get(word)).join(' or ')})`).join(' and ');
  // Of a word that nothing stands beside no more is asked than whether all conditions hold.
  const alternatives = conditions.flatMap((words) => (words.length > 1 ? words.map(({ word }) => word) : []));
  const each = (make: (column: string) => string): string[] => alternatives.map((word) => make(has.get(word) ?? 'true'));
  const { rows } = await pool.query<BlocksRow>(
    `with block as materialized (
      select *, ${fits} as fits from (
        select principal, first_at, last_at, until, ${looked.join(', ')} from delivery_block where principal = any($1::text[]) offset 0
      ) as looked
    ), covered as (
      select principal, count(*) as blocks, max(until) as until, count(*) filter (where fits) as candidates
        ${each((one) => `, count(*) filter (where ${one}) as of_${one}, min(first_at) filter (where ${one}) as first_${one}, max(last_at) filter (where ${one}) as last_${one}`).join('')}
      from block group by principal
    )
    select given.principal, tail, is_narrow as "isNarrow", firsts, lasts,
      array[${each((one) => `coalesce(blocks > 0 and tail <= ${longestTail} and of_${one} * 2 <= blocks, false)`).join(', ')}]::boolean[] as "areRare",
      array[${each((one) => `least(first_${one}, first_new)`).join(', ')}]::timestamptz[]::text[] as "wordFirsts",
      array[${each((one) => `greatest(last_${one}, last_new)`).join(', ')}]::timestamptz[]::text[] as "wordLasts"
    from unnest($1::text[]) as given (principal)
    left join covered on covered.principal = given.principal
    cross join lateral (
      select count(*) as tail, min(published_at) as first_new, max(published_at) as last_new,
        range_agg(tstzrange(published_at - interval '${aroundNew}', published_at + interval '${aroundNew}', '[]')) as recent
      from (
        select published_at from delivery
        where delivery.principal = given.principal and place >= coalesce(covered.until, 0) limit ${longestTail + 1}
      ) as newer
    ) as uncovered
    -- When most blocks fit, it is quicker to read all texts from their index.
    cross join lateral (select coalesce(blocks > 0 and tail <= ${longestTail} and candidates * 2 <= blocks, false) as is_narrow offset 0) as judged
    cross join lateral (
      select array_agg(lower(span)::text) as firsts, array_agg(upper(span)::text) as lasts
      from unnest(
        case when is_narrow then
          coalesce((select range_agg(tstzrange(first_at, last_at, '[]')) from block where block.principal = given.principal and fits), '{}')
            + coalesce(recent, '{}')
        end
      ) as span
    ) as told`,
    values,
  );
  const spans = new Map<string, Span[]>();
  const whereabouts = new Map<string, Whereabouts>();
  for (const { principal, isNarrow, firsts, lasts, ...row } of rows) {
    if (isNarrow)
      spans.set(
        principal,
        (firsts ?? []).map((first, index) => ({ first, last: lasts?.[index] ?? first })),
      );
    whereabouts.set(principal, whereaboutsOf(alternatives, row));
  }
  return { spans, whereabouts, uncovered: rows.filter(({ tail }) => tail > longestTail).map(({ principal }) => principal) };
};

const whereaboutsOf = (
  words: readonly string[],
  { areRare, wordFirsts, wordLasts }: Pick<BlocksRow, 'areRare' | 'wordFirsts' | 'wordLasts'>,
): Whereabouts => {
  const found = new Map<string, Span | null>();
  for (const [index, word] of words.entries()) {
    const [first, last] = [wordFirsts[index] ?? null, wordLasts[index] ?? null];
    if (areRare[index] === true) found.set(word, first === null || last === null ? null : { first, last });
  }
  return found;
};

/** The last place that a delivery may have, and the transaction before whose end some of them are not there yet. */
export const readHorizon = async (pool: Queryable): Promise<{ place: string; transaction: string }> => {
  const { rows: places } = await pool.query<{ place: string }>('select last_value::text as place from delivery_place');
  // In a statement of its own, begun after that: whoever has a place by then has a transaction that this one knows of.
  const { rows } = await pool.query<{ transaction: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as transaction');
  return { place: places[0]?.place ?? '0', transaction: rows[0]?.transaction ?? '0' };
};

/** Whether all transactions before this one have ended. */
export const hasPassed = async (pool: Queryable, transaction: string): Promise<boolean> => {
  const { rows } = await pool.query<{ passed: boolean }>('select pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8 as passed', [
    transaction,
  ]);
  return rows[0]?.passed === true;
};

interface TextRow {
  readonly place: string;
  readonly at: string;
  readonly is_cut: boolean;
  readonly text: string;
}

/** Of long values only the document knows all. */
const textOf = ({ is_cut: isCut, text }: TextRow): string | undefined => (isCut ? undefined : text);

interface Wanted {
  readonly principal: string;
  /** Deliveries of a block. */
  readonly size: number;
  readonly lastKnown: string;
}

/**
 * Makes the next blocks of a principal's deliveries up to a place, some at a time. False: there are no more to be made, or another process is
 * making them.
 */
export const makeBlocks = async (pool: Pick<Pool, 'connect'>, wanted: Wanted): Promise<boolean> => {
  const connection = await pool.connect();
  try {
    await connection.query('begin');
    const { rows: locked } = await connection.query<{ mine: boolean }>(
      `select pg_try_advisory_xact_lock(hashtextextended('delivery_block ' || $1::text, 0)) as mine`,
      [wanted.principal],
    );
    const isMine = locked[0]?.mine === true;
    const made = isMine ? await makeSome(connection, wanted) : 0;
    await connection.query('commit');
    return made > 0;
  } catch (error) {
    await connection.query('rollback');
    throw error;
  } finally {
    connection.release();
  }
};

const blocksAtOnce = 16;

const makeSome = async (connection: Queryable, { principal, size, lastKnown }: Wanted): Promise<number> => {
  const { rows: known } = await connection.query<{ until: string | null }>(
    'select max(until)::text as until from delivery_block where principal = $1',
    [principal],
  );
  let first = known[0]?.until ?? '0';
  const { rows } = await connection.query<TextRow>(
    `select delivery.place::text as place, published_at::text as at, is_cut, concat_ws(E'\\n', search_text, account_key, replace(case_key, chr(127), ''), replace(st_number_key, chr(127), ''),
      replace(pub_name_key, chr(127), ''), replace(pub_duration_key, chr(127), ''), replace(file_key, chr(127), ''),
      replace(extension_key, chr(127), ''), folded(bar_number)) as text
    from delivery where principal = $1 and place >= $2::bigint and place <= $3::bigint order by delivery.place limit $4`,
    [principal, first, lastKnown, size * blocksAtOnce],
  );
  const blocks: { first: string; until: string; moments: string[]; grams: Buffer }[] = [];
  for (let from = 0; from + size <= rows.length; from += size) {
    const block = rows.slice(from, from + size);
    const until = String(BigInt(block.at(-1)?.place ?? first) + 1n);
    blocks.push({ first, until, moments: block.map(({ at }) => at), grams: gramsOf(block.map(textOf)) });
    first = until;
  }
  for (const block of blocks)
    await connection.query(
      `insert into delivery_block (principal, first, until, first_at, last_at, grams)
      select $1, $2::bigint, $3::bigint, min(at), max(at), $5 from unnest($4::timestamptz[]) as at`,
      [principal, block.first, block.until, block.moments, block.grams],
    );
  return blocks.length;
};
