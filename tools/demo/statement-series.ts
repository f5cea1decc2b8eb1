import { addDays, addMonths, daysBetween, isoDay, monthNumber, startOfMonth } from './calendar.ts';
import { accountStatement, statementTitle } from './contents/statements.ts';
import type { StatementKind } from './contents/statements.ts';
import { fileNameOf, print, retentionDay } from './document.ts';
import type { DemoDocument, Stage } from './document.ts';
import type { Customer } from './people.ts';
import { createChance } from './seeded.ts';

export interface SeriesOptions {
  customer: Customer;
  kind: Exclude<StatementKind, 'ANNUAL'>;
  /** Months back from the last full month. */
  months: number;
  /** Statements older than this many days were read. */
  readAfterDays?: number;
  operations: readonly [lowest: number, highest: number];
}

/** Statements of consecutive months, newest first; each begins with the balance its forerunner ended with. */
export function statementSeries(stage: Stage, options: SeriesOptions): DemoDocument[] {
  return Array.from({ length: options.months }, (_, index) => {
    const start = addMonths(startOfMonth(stage.today), -1 - index);
    return statement(stage, { ...options, start, end: addDays(addMonths(start, 1), -1) });
  });
}

/** The statement of a whole year that fills twenty pages. */
export function annualStatement(stage: Stage, options: { customer: Customer; yearsBack: number }): DemoDocument {
  const year = stage.today.getUTCFullYear() - options.yearsBack;
  const start = new Date(Date.UTC(year, 0, 1));
  return statement(stage, {
    customer: options.customer,
    kind: 'ANNUAL',
    start,
    end: new Date(Date.UTC(year, 11, 31)),
    operations: [twentyPages, twentyPages],
  });
}

/** Sixteen operations fit on the first page and twenty-six on each further one; twelve salaries come on top. */
const twentyPages = 486;

interface StatementOptions {
  customer: Customer;
  kind: StatementKind;
  start: Date;
  end: Date;
  operations: readonly [lowest: number, highest: number];
  readAfterDays?: number;
}

function statement(stage: Stage, options: StatementOptions): DemoDocument {
  const { customer, kind, start, end } = options;
  const { client } = customer;
  const number =
    kind === 'ANNUAL' ? String(start.getUTCFullYear()) : `${String(start.getUTCMonth() + 1).padStart(2, '0')}/${start.getUTCFullYear()}`;
  const uniqueName = `DEMO-${client.personalId}-${kind}-${isoDay(start).slice(0, kind === 'ANNUAL' ? 4 : 7)}`;
  const chanceName = `${stage.seed}/${uniqueName}`;
  const account = accountOf(customer, kind);
  const day = addDays(end, 1);
  const daysAgo = daysBetween(day, stage.today);
  const isRead = options.readAfterDays !== undefined && daysAgo > options.readAfterDays;
  return {
    uniqueName,
    fileName: fileNameOf(statementTitle(kind, number)),
    type: 'PRIVATE',
    cif: client.cif,
    metadata: {
      [stage.statementMarkerKey]: 'STATEMENTS',
      ST_DOC_TYPE: kind,
      ST_NUMBER: number,
      ST_DATE: isoDay(day),
      ST_PERIOD_START: isoDay(start),
      ST_PERIOD_END: isoDay(end),
      ACCOUNT_NUMBER: account,
      RETENTION_DATE: retentionDay(day, 6),
    },
    daysAgo,
    ...(isRead ? { readBy: [{ personalId: client.personalId }] } : {}),
    pdf: () =>
      print(stage, {
        uniqueName,
        daysAgo,
        writing: accountStatement({
          customer,
          kind,
          account,
          number,
          start,
          end,
          operations: createChance(`${chanceName}/length`).between(...options.operations),
          opening: balanceAt(stage, account, start),
          closing: balanceAt(stage, account, day),
          chanceName,
        }),
      }),
  };
}

function accountOf(customer: Customer, kind: StatementKind): string {
  if (kind === 'SAVINGS') return customer.accounts.savings;
  return kind === 'CARD' ? customer.accounts.card : customer.accounts.current;
}

/** Balance in grosze at the beginning of a month: it follows from the account and the month, so that statements join. */
function balanceAt(stage: Stage, account: string, day: Date): number {
  const chance = createChance(`${stage.seed}/balance/${account}/${monthNumber(day)}`);
  if (account.slice(10, 14) === '4040') return -chance.between(20_000, 390_000);
  return account.slice(10, 14) === '2020' ? chance.between(1_200_000, 4_800_000) : chance.between(90_000, 1_400_000);
}
