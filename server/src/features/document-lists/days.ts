/** The day in the organisation's time zone that a moment belongs to (D14), as 'yyyy-mm-dd'. */
export const createDayOf = (timeZone: string): ((epochMs: number) => string) => {
  // The Canadian form is the ISO one; years beyond four digits are outside what a list can hold anyway.
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, era: 'short', year: 'numeric', month: '2-digit', day: '2-digit' });
  return (epochMs) => {
    const parts = new Map(format.formatToParts(epochMs).map(({ type, value }) => [type, value]));
    const year = Number(parts.get('year'));
    if (parts.get('era')?.startsWith('B') === true) return earliest;
    return year > 9_999 ? latest : `${String(year).padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
  };
};

/** Before and after every day that a document can carry; PostgreSQL knows both. */
export const earliest = '-infinity';
export const latest = 'infinity';
