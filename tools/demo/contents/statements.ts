import { addDays, longDay, shortDay } from '../calendar.ts';
import type { Block, Table } from '../layout/blocks.ts';
import { amount, spacedAccount, zloty } from '../money.ts';
import { listOperations } from './operations.ts';
import type { Operation, OperationTerms } from './operations.ts';
import type { Writing } from './writing.ts';

export type StatementKind = 'MONTHLY' | 'SAVINGS' | 'CARD' | 'ANNUAL';

export interface StatementTerms extends OperationTerms {
  kind: StatementKind;
  number: string;
}

export function accountStatement(terms: StatementTerms): Writing {
  const title = statementTitle(terms.kind, terms.number);
  const operations = listOperations(terms);
  const credits = operations.filter((one) => one.grosze > 0).reduce((sum, one) => sum + one.grosze, 0);
  const debits = operations.filter((one) => one.grosze < 0).reduce((sum, one) => sum + one.grosze, 0);
  const blocks: Block[] = [
    { kind: 'title', text: title, lines: [`za okres od ${longDay(terms.start)} do ${longDay(terms.end)}`] },
    {
      kind: 'facts',
      rows: [
        ['Posiadacz', `${terms.customer.name}, ${terms.customer.street}, ${terms.customer.town}`],
        ['Numer klienta', terms.customer.client.cif],
        [terms.kind === 'CARD' ? 'Rachunek karty' : 'Numer rachunku', spacedAccount(terms.account)],
        ['Rodzaj rachunku', products[terms.kind]],
        ['Waluta', 'PLN'],
      ],
    },
    {
      kind: 'figures',
      items: [
        ['Saldo początkowe', zloty(terms.opening)],
        ['Suma uznań', zloty(credits)],
        ['Suma obciążeń', zloty(debits)],
        ['Saldo końcowe', zloty(terms.closing)],
      ],
    },
    { kind: 'section', text: 'Zestawienie operacji' },
    { kind: 'table', table: operationsTable(terms, operations) },
    ...(terms.kind === 'CARD' ? cardRepayment(terms) : []),
    {
      kind: 'paragraph',
      small: true,
      text:
        'Niezgodność zmian stanu rachunku lub salda prosimy zgłosić w ciągu 14 dni od udostępnienia wyciągu. ' +
        'Środki na rachunku są objęte ustawową ochroną gwarancyjną do równowartości 100 000 euro. ' +
        'Wyciąg sporządzono w postaci elektronicznej; nie wymaga podpisu ani pieczęci.',
    },
  ];
  const day = addDays(terms.end, 1);
  return {
    title,
    subject: `${title}, ${spacedAccount(terms.account)}`,
    family: 'sans',
    letterhead: {
      right: [`Data wyciągu ${shortDay(day)}`, `${terms.customer.name}, CIF ${terms.customer.client.cif}`],
      running: `${title}  ·  ${shortDay(terms.start)}–${shortDay(terms.end)}`,
    },
    blocks,
  };
}

/** „Wyciąg nr 10/2026 z rachunku”. */
export function statementTitle(kind: StatementKind, number: string): string {
  return kind === 'ANNUAL' ? `Wyciąg roczny za ${number} rok` : `Wyciąg nr ${number} z ${sources[kind]}`;
}

const sources: Record<Exclude<StatementKind, 'ANNUAL'>, string> = {
  MONTHLY: 'rachunku',
  SAVINGS: 'rachunku oszczędnościowego',
  CARD: 'karty kredytowej',
};

const products: Record<StatementKind, string> = {
  MONTHLY: 'Rachunek oszczędnościowo-rozliczeniowy „Nurt”',
  SAVINGS: 'Rachunek oszczędnościowy „Zatoka”',
  CARD: 'Karta kredytowa „Latarnia”',
  ANNUAL: 'Rachunek oszczędnościowo-rozliczeniowy „Nurt”',
};

function operationsTable(terms: StatementTerms, operations: readonly Operation[]): Table {
  let balance = terms.opening;
  const rows = operations.map((one) => {
    balance += one.grosze;
    return [shortDay(one.day), `${one.title}\n${one.detail}`, amount(one.grosze), amount(balance)];
  });
  return {
    dense: true,
    columns: [
      { title: 'Data', share: 11 },
      { title: 'Opis operacji', share: 58 },
      { title: 'Kwota (zł)', share: 15, align: 'right' },
      { title: 'Saldo (zł)', share: 16, align: 'right' },
    ],
    rows,
    total: ['', 'Saldo końcowe', '', amount(terms.closing)],
  };
}

function cardRepayment(terms: StatementTerms): Block[] {
  const debt = Math.max(0, -terms.closing);
  return [
    {
      kind: 'facts',
      rows: [
        ['Zadłużenie do spłaty', zloty(debt)],
        ['Kwota minimalna', zloty(Math.round(debt * 0.05))],
        ['Termin spłaty', longDay(addDays(terms.end, 24))],
      ],
    },
  ];
}
