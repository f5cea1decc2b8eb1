import type { Criterion, DocumentQuery, DocumentType, MetadataMap } from '@pergamin/contract';

/*
 * The lists as D5, D6, D13 to D17 and P4 say them, over documents in memory: written apart from the product, slowly and plainly, for tests
 * to compare with.
 */

export interface ModelDocument {
  readonly id: string;
  readonly type: DocumentType;
  /** Customer numbers, the first before the second. */
  readonly owners: readonly string[];
  readonly groupId: string | undefined;
  readonly publishedAt: number;
  readonly fileName: string;
  readonly metadata: MetadataMap;
  readonly state: string;
}

export interface Membership {
  readonly groupId: string;
  readonly cif: string;
  readonly since: number;
  readonly until: number | null;
}

export interface ModelWorld {
  readonly documents: readonly ModelDocument[];
  readonly memberships: readonly Membership[];
  readonly markerKey: string;
  readonly options: readonly { readonly key: string; readonly pl: string; readonly en: string }[];
}

/** Summer time begins and ends on the last Sunday of March and October, at one o'clock UTC. */
const lastSunday = (year: number, month: number): number => {
  const last = new Date(Date.UTC(year, month + 1, 0, 1));
  return last.getTime() - last.getUTCDay() * 86_400_000;
};

export const dayInWarsaw = (epochMs: number): string => {
  const year = new Date(epochMs).getUTCFullYear();
  const isSummer = epochMs >= lastSunday(year, 2) && epochMs < lastSunday(year, 9);
  return new Date(epochMs + (isSummer ? 2 : 1) * 3_600_000).toISOString().slice(0, 10);
};

const plain = (text: string): string =>
  Array.from(text.normalize('NFD'))
    .filter((sign) => sign < '\u0300' || sign > '\u036f')
    .join('')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss');

/** Signs that people leave out, double or write otherwise between the parts of a number or a name. */
const isGap = (sign: string): boolean => ' /\\._,:-'.includes(sign);
const isDigit = (sign: string | undefined): boolean => sign !== undefined && sign >= '0' && sign <= '9';

/** How much of a value, from a place on, is what was typed; undefined: it is not. */
const isThereAt = (value: string, at: number, typed: string): boolean => {
  let place = at;
  for (let index = 0; index < typed.length; index += 1) {
    const sign = typed[index] ?? '';
    if (!isGap(sign)) {
      if (value[place] !== sign) return false;
      place += 1;
      continue;
    }
    const before = typed[index - 1];
    while (isGap(typed[index + 1] ?? 'x')) index += 1;
    const after = typed[index + 1];
    const mayLack = before !== undefined && after !== undefined && (isDigit(before) || isDigit(after));
    if (!mayLack && !isGap(value[place] ?? 'x')) return false;
    while (isGap(value[place] ?? 'x')) place += 1;
  }
  return true;
};
const withoutGaps = (text: string): string =>
  Array.from(text)
    .filter((sign) => !isGap(sign))
    .join('');

/** Whether the value has somewhere what was typed; both are plain. */
export const says = (value: string, typed: string): boolean => {
  const bare = withoutGaps(typed);
  if (bare === '') return value.includes(typed);
  if (bare.length >= 8 && Array.from(bare).every(isDigit)) {
    // No digit, gap or not, lies between two of it.
    return withoutGaps(value).includes(bare);
  }
  return Array.from(value, (_, at) => at).some((at) => isThereAt(value, at, typed));
};

const accountOf = (text: string): string => {
  const bare = text.replaceAll(/[\s-]/g, '').toLowerCase();
  return bare.length >= 15 && /^[a-z]{2}\d\d/.test(bare) ? bare.slice(2) : bare;
};

const collator = new Intl.Collator('pl', { numeric: true });
const compareTexts = (left: string, right: string): number =>
  collator.compare(left.toLowerCase(), right.toLowerCase()) || compareSigns(left.toLowerCase(), right.toLowerCase());
const compareSigns = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

type Kind = 'text' | 'identifier' | 'account' | 'option' | 'day' | 'moment' | 'exact';
const kinds: Readonly<Record<string, Kind>> = {
  FILE_NAME: 'text',
  PRIV_CASE_NUMBER: 'text',
  ST_NUMBER: 'text',
  BAR_NUMBER: 'identifier',
  CIF: 'identifier',
  CIF2: 'identifier',
  '14': 'identifier',
  CHECKSUM_SHA256: 'exact',
  ACCOUNT_NUMBER: 'account',
  PRIV_DOC_PRODUCT_GROUP: 'option',
  REG_DATE: 'day',
  ST_DATE: 'day',
  ST_PERIOD_START: 'day',
  ST_PERIOD_END: 'day',
  '11': 'day',
  RETENTION_DATE: 'day',
  DOC_EXT: 'text',
  PUBLICATION_DATE: 'moment',
};
const kindOf = (key: string): Kind => kinds[key] ?? 'exact';

/** After every day; as text it is after all digits. */
const indefinite = 'infinity';

const valueOf = (document: ModelDocument, key: string): string | number | undefined => {
  if (key === 'FILE_NAME') return document.fileName;
  if (key === 'TYPE') return document.type;
  if (key === 'STATE') return document.state;
  if (key === 'PUBLICATION_DATE') return document.publishedAt;
  const value = document.metadata[key];
  if (value === undefined || typeof value === 'boolean') return undefined;
  return kindOf(key) === 'day' && value === -1 ? indefinite : value;
};

const wantedOf = ({ id, value }: Criterion): string | number => {
  if (kindOf(id) === 'day') return value === -1 ? indefinite : typeof value === 'number' ? dayInWarsaw(value) : String(value);
  return typeof value === 'number' ? value : String(value);
};

const isLike = (value: string, criterion: Criterion, world: ModelWorld): boolean => {
  const given = String(criterion.value);
  const anywhere = given.length > 1 && given.startsWith('%') && given.endsWith('%');
  const bare = (anywhere ? given.slice(1, -1) : given).replaceAll(/\\([\\%_])/g, '$1');
  const isAccount = kindOf(criterion.id) === 'account';
  if (isAccount) {
    const [kept, wanted] = [accountOf(value), accountOf(bare)];
    return anywhere ? kept.includes(wanted.replace(/^[a-z]{2}(?=\d\d)/, '')) : kept === wanted;
  }
  if (criterion.id === 'CHECKSUM_SHA256') return anywhere ? plain(value).includes(plain(bare)) : plain(value) === plain(bare);
  const fits = (text: string): boolean => (anywhere ? plain(text).includes(plain(bare)) : plain(text) === plain(bare));
  if (kindOf(criterion.id) === 'text' && anywhere) return says(plain(value), plain(bare));
  if (criterion.id === 'BAR_NUMBER' && anywhere) return says(plain(value), plain(bare));
  if (kindOf(criterion.id) !== 'option') return fits(value);
  if (world.options.some(({ key }) => key === bare)) return value === bare;
  const option = world.options.find(({ key }) => key === value);
  return option !== undefined && [option.key, option.pl, option.en].some(fits);
};

const holds = (document: ModelDocument, criterion: Criterion, world: ModelWorld): boolean => {
  const value = valueOf(document, criterion.id);
  if (criterion.operator === 'LIKE') return value !== undefined && isLike(String(value), criterion, world);
  const wanted = wantedOf(criterion);
  const spaceless = (one: string | number): string | number => (kindOf(criterion.id) === 'account' ? accountOf(String(one)) : one);
  if (criterion.operator === 'NOT_EQUALS') return value === undefined || spaceless(value) !== spaceless(wanted);
  if (value === undefined) return false;
  if (criterion.operator === 'EQUALS') return spaceless(value) === spaceless(wanted);
  return criterion.operator === 'GQ' ? value >= wanted : value <= wanted;
};

const hasText = (document: ModelDocument, given: string, world: ModelWorld): boolean => {
  const anywhere = given.length > 1 && given.startsWith('%') && given.endsWith('%');
  const wanted = plain((anywhere ? given.slice(1, -1).replaceAll(/\\([\\%_])/g, '$1') : given).trim());
  if (wanted === '') return true;
  const keys = ['FILE_NAME', 'PRIV_CASE_NUMBER', 'ST_NUMBER', 'BAR_NUMBER', 'ACCOUNT_NUMBER', 'DOC_EXT'];
  const texts = keys
    .map((key) => valueOf(document, key))
    .filter((value) => value !== undefined)
    .map((value) => plain(String(value)));
  const account = valueOf(document, 'ACCOUNT_NUMBER');
  if (account !== undefined) texts.push(plain(accountOf(String(account))));
  if (texts.some((text) => says(text, wanted))) return true;
  const option = world.options.find(({ key }) => key === valueOf(document, 'PRIV_DOC_PRODUCT_GROUP'));
  return option !== undefined && [option.pl, option.en].some((name) => plain(name).includes(wanted));
};

const isDelivered = (document: ModelDocument, cifs: readonly string[], { memberships }: ModelWorld): boolean => {
  if (document.type === 'PUBLIC') return true;
  if (document.type === 'PRIVATE') return document.owners.some((owner) => cifs.includes(owner));
  return memberships.some(
    ({ groupId, cif, since, until }) =>
      groupId === document.groupId &&
      cifs.includes(cif) &&
      since <= document.publishedAt &&
      (until === null || document.publishedAt < until),
  );
};

const listedOn = (document: ModelDocument, { markerKey }: ModelWorld): string => {
  const isStatement = document.type === 'PRIVATE' && document.metadata[markerKey] === 'STATEMENTS';
  const own = valueOf(document, isStatement ? 'ST_DATE' : 'REG_DATE');
  return own === undefined || own === indefinite ? dayInWarsaw(document.publishedAt) : String(own);
};

const comparable = (document: ModelDocument, key: string, { options }: ModelWorld): string | number | undefined => {
  const value = valueOf(document, key);
  if (value === undefined) return undefined;
  if (kindOf(key) === 'account') return accountOf(String(value));
  if (kindOf(key) !== 'option') return value;
  const sorted = options.toSorted((a, b) => a.pl.localeCompare(b.pl, 'pl'));
  return sorted.findIndex((option) => option.key === value);
};

const compare = (left: string | number, right: string | number, kind: Kind): number => {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  const isName = kind === 'text' || kind === 'identifier' || kind === 'account';
  return isName ? compareTexts(String(left), String(right)) : compareSigns(String(left), String(right));
};

/** Whether a period or a range ends before it starts, and the search is refused. */
export const endsBeforeItStarts = ({ criteria: { metadata, period } }: DocumentQuery): boolean => {
  if (period !== null && period.start !== null && period.end !== null && period.end < period.start) return true;
  const dates = metadata.filter(({ id }) => kindOf(id) === 'day' || kindOf(id) === 'moment');
  return dates.some(
    (start) =>
      start.operator === 'GQ' &&
      dates.some(
        (end) =>
          end.operator === 'LQ' &&
          (end.id === start.id || (start.id === 'ST_PERIOD_START' && end.id === 'ST_PERIOD_END')) &&
          compare(wantedOf(end), wantedOf(start), kindOf(end.id)) < 0,
      ),
  );
};

/** A document as a reader sees it: with the customer numbers that are theirs, and without the others. */
const seenBy = (document: ModelDocument, cifs: readonly string[]): ModelDocument => {
  const [cif, cif2] = document.owners.map((owner) => (cifs.includes(owner) ? owner : undefined));
  const recipient = cif ?? cif2;
  const numbers: MetadataMap = {
    ...(cif === undefined ? {} : { CIF: cif }),
    ...(cif2 === undefined ? {} : { CIF2: cif2 }),
    ...(recipient === undefined ? {} : { '14': recipient }),
  };
  return { ...document, metadata: { ...document.metadata, ...numbers } };
};

/** All ids that a search finds, in its order. */
export const listByModel = (query: DocumentQuery, cifs: readonly string[], world: ModelWorld): string[] => {
  const { period, metadata } = query.criteria;
  const seen = world.documents.map((document) => seenBy(document, cifs));
  const found = seen.filter((document) => {
    const day = listedOn(document, world);
    const isInPeriod =
      (period?.start ?? null) === null || day >= dayInWarsaw(period?.start ?? 0)
        ? (period?.end ?? null) === null || day <= dayInWarsaw(period?.end ?? 0)
        : false;
    return (
      isDelivered(document, cifs, world) &&
      isInPeriod &&
      metadata.every((criterion) => holds(document, criterion, world)) &&
      (query.text === null || hasText(document, query.text, world))
    );
  });
  const sort = query.sort.length === 0 ? [{ by: 'PUBLICATION_DATE', order: 'desc' as const }] : query.sort;
  const sign = (order: 'asc' | 'desc'): number => (order === 'asc' ? 1 : -1);
  return found
    .toSorted((left, right) => {
      for (const { by, order } of sort) {
        const [a, b] = [comparable(left, by, world), comparable(right, by, world)];
        if (a === undefined && b === undefined) continue;
        if (a === undefined) return 1;
        if (b === undefined) return -1;
        const difference = compare(a, b, kindOf(by));
        if (difference !== 0) return difference * sign(order);
      }
      return compareSigns(left.id, right.id) * sign(sort[0]?.order ?? 'desc');
    })
    .map(({ id }) => id);
};
