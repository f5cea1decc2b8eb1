import { addDays, daysBetween, isoDay, longDay, shortDay } from '../calendar.ts';
import type { Block } from '../layout/blocks.ts';
import { accountNumber, amount, spacedAccount, zloty } from '../money.ts';
import type { Customer } from '../people.ts';
import { createChance } from '../seeded.ts';
import type { Chance } from '../seeded.ts';
import type { Writing } from './writing.ts';

export type StatementKind = 'MONTHLY' | 'SAVINGS' | 'CARD' | 'ANNUAL';

export interface StatementTerms {
  customer: Customer;
  kind: StatementKind;
  account: string;
  number: string;
  start: Date;
  end: Date;
  /** Operations, apart from the balancing one. */
  operations: number;
  opening: number;
  closing: number;
  chanceName: string;
}

export function accountStatement(terms: StatementTerms): Writing {
  const title = `${titles[terms.kind]} nr ${terms.number}`;
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

export const titles: Record<StatementKind, string> = {
  MONTHLY: 'Wyciąg z rachunku',
  SAVINGS: 'Wyciąg z rachunku oszczędnościowego',
  CARD: 'Wyciąg z karty kredytowej',
  ANNUAL: 'Wyciąg roczny z rachunku',
};

const products: Record<StatementKind, string> = {
  MONTHLY: 'Rachunek oszczędnościowo-rozliczeniowy „Nurt”',
  SAVINGS: 'Rachunek oszczędnościowy „Zatoka”',
  CARD: 'Karta kredytowa „Latarnia”',
  ANNUAL: 'Rachunek oszczędnościowo-rozliczeniowy „Nurt”',
};

interface Operation {
  day: Date;
  title: string;
  detail: string;
  grosze: number;
}

function operationsTable(terms: StatementTerms, operations: readonly Operation[]): Extract<Block, { kind: 'table' }>['table'] {
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

function listOperations(terms: StatementTerms): Operation[] {
  const chance = createChance(terms.chanceName);
  const length = daysBetween(terms.start, terms.end);
  const days = Array.from({ length: terms.operations }, () => chance.between(0, length)).sort((a, b) => a - b);
  const operations = days.map((offset) => operationOn(addDays(terms.start, offset), terms, chance));
  const balance = operations.reduce((sum, one) => sum + one.grosze, terms.opening);
  // The last operation brings the balance to where the next statement begins.
  return [...operations, balancing(terms, terms.closing - balance)];
}

function operationOn(day: Date, terms: StatementTerms, chance: Chance): Operation {
  if (terms.kind === 'SAVINGS') {
    return chance.isOneIn(3)
      ? { day, title: 'Przelew własny wychodzący', detail: 'Na rachunek „Nurt”', grosze: -chance.between(50, 900) * 100 }
      : { day, title: 'Przelew własny przychodzący', detail: 'Stałe zlecenie oszczędzania', grosze: chance.between(100, 900) * 100 };
  }
  if (terms.kind === 'CARD' || !chance.isOneIn(4)) {
    const [shop, lowest, highest] = chance.pick(shops);
    return {
      day,
      title: 'Płatność kartą',
      detail: `${shop}, karta ••••\u00a0${terms.account.slice(-4)}, kod autoryzacji ${chance.digits(6)}`,
      grosze: -chance.between(lowest, highest),
    };
  }
  return transfer(day, chance);
}

function transfer(day: Date, chance: Chance): Operation {
  if (day.getUTCDate() <= 3 || chance.isOneIn(6)) {
    return {
      day,
      title: 'Wynagrodzenie',
      detail: `Stocznia Jachtowa „Bryza” sp. z o.o., umowa z dnia ${isoDay(day).slice(0, 4)}-01-02`,
      grosze: chance.between(640_000, 790_000),
    };
  }
  const [title, detail, lowest, highest] = chance.pick(transfers);
  const other = accountNumber('99800008', chance.digits(16));
  return { day, title, detail: `${detail}, ${spacedAccount(other)}`, grosze: -chance.between(lowest, highest) };
}

function balancing(terms: StatementTerms, grosze: number): Operation {
  const day = terms.end;
  if (terms.kind === 'CARD')
    return {
      day,
      title: grosze > 0 ? 'Spłata karty' : 'Płatność kartą',
      detail: grosze > 0 ? 'Polecenie zapłaty z rachunku „Nurt”' : 'Sklep meblowy „Dębina”',
      grosze,
    };
  return grosze > 0
    ? { day, title: 'Przelew własny przychodzący', detail: 'Z rachunku oszczędnościowego „Zatoka”', grosze }
    : { day, title: 'Przelew własny wychodzący', detail: 'Na rachunek oszczędnościowy „Zatoka”', grosze };
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

type Shop = readonly [name: string, lowestGrosze: number, highestGrosze: number];

const shops: readonly [Shop, ...Shop[]] = [
  ['Sklep spożywczy „Jagódka”, Toruń', 1200, 18_900],
  ['Piekarnia „Złoty Kłos”, Gdańsk', 450, 4200],
  ['Apteka „Pod Żurawiem”, Gdańsk', 990, 14_500],
  ['Stacja paliw „Przystań”, Gdynia', 8000, 34_000],
  ['Księgarnia „Żak”, Toruń', 2490, 15_900],
  ['Kino „Świt”, Bydgoszcz', 2200, 8800],
  ['Restauracja „Łosoś i Szparag”, Sopot', 5600, 28_000],
  ['Kolej Nadmorska, bilety', 1250, 16_400],
  ['Market budowlany „Cegiełka”, Toruń', 3900, 62_000],
  ['Kwiaciarnia „Niezapominajka”, Gdańsk', 2500, 12_000],
  ['Sklep rowerowy „Szprycha”, Gdynia', 4900, 48_000],
  ['Drogeria „Rumianek”, Toruń', 1490, 13_700],
];

type Transfer = readonly [title: string, detail: string, lowestGrosze: number, highestGrosze: number];

const transfers: readonly [Transfer, ...Transfer[]] = [
  ['Przelew wychodzący', 'Wspólnota Mieszkaniowa Mostowa 14, czynsz i media', 62_000, 71_000],
  ['Polecenie zapłaty', 'Energetyka Żuławska S.A., faktura za energię', 11_500, 29_000],
  ['Przelew wychodzący', 'Telefonia „Echo” sp. z o.o., abonament', 4500, 9900],
  ['Przelew wychodzący', 'Przedszkole „Słoneczny Zakątek”, opłata miesięczna', 38_000, 52_000],
  ['Przelew na telefon', 'Łukasz Jaśkiewicz, zrzutka na prezent', 2000, 12_000],
  ['Zlecenie stałe', 'Towarzystwo Ubezpieczeń „Kotwica”, składka', 8900, 14_900],
  ['Wypłata z bankomatu', 'Bankomat Banku Wiślanego, ul. Szeroka, Toruń', 10_000, 60_000],
];
