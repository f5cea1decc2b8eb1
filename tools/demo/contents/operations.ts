import { addDays, daysBetween, monthName } from '../calendar.ts';
import { accountNumber, spacedAccount } from '../money.ts';
import type { Customer } from '../people.ts';
import { createChance } from '../seeded.ts';
import type { Chance } from '../seeded.ts';

export interface Operation {
  day: Date;
  title: string;
  detail: string;
  /** Below zero for what leaves the account. */
  grosze: number;
}

export interface OperationTerms {
  customer: Customer;
  kind: 'MONTHLY' | 'SAVINGS' | 'CARD' | 'ANNUAL';
  account: string;
  start: Date;
  end: Date;
  /** Operations apart from salaries and the balancing one. */
  operations: number;
  opening: number;
  closing: number;
  chanceName: string;
}

/** Operations in the order of their days; they lead from the opening balance to the closing one. */
export function listOperations(terms: OperationTerms): Operation[] {
  const chance = createChance(terms.chanceName);
  const operations: Operation[] = [];
  let balance = terms.opening;
  for (const { day, isSalary } of planDays(terms, chance)) {
    const planned = isSalary ? salary(day, terms, chance) : operationOn(day, terms, chance);
    const operation = terms.kind !== 'CARD' && balance + planned.grosze < minBalance ? topUp(day, terms, chance) : planned;
    operations.push(operation);
    balance += operation.grosze;
  }
  return [...operations, balancing(terms, terms.closing - balance)];
}

/** A current account is filled up from savings before it would run dry. */
const minBalance = 12_000;

function planDays(terms: OperationTerms, chance: Chance): { day: Date; isSalary: boolean }[] {
  const length = daysBetween(terms.start, terms.end);
  const offsets = Array.from({ length: terms.operations }, () => chance.between(0, length)).sort((a, b) => a - b);
  const days = offsets.map((offset) => ({ day: addDays(terms.start, offset), isSalary: false }));
  if (terms.kind === 'MONTHLY' || terms.kind === 'ANNUAL') {
    for (let day = terms.start; day <= terms.end; day = addDays(day, 1))
      if (day.getUTCDate() === payday) days.push({ day, isSalary: true });
  }
  return days.sort((a, b) => a.day.getTime() - b.day.getTime());
}

const payday = 10;

function operationOn(day: Date, terms: OperationTerms, chance: Chance): Operation {
  if (terms.kind === 'SAVINGS') {
    return chance.isOneIn(3)
      ? { day, title: 'Przelew własny wychodzący', detail: 'Na rachunek „Nurt”', grosze: -chance.between(50, 900) * 100 }
      : { day, title: 'Przelew własny przychodzący', detail: 'Stałe zlecenie oszczędzania', grosze: chance.between(100, 900) * 100 };
  }
  if (terms.kind !== 'CARD' && chance.isOneIn(4)) return transfer(day, terms, chance);
  const [shop, lowest, highest] = chance.pick(shops);
  const detail = `${shop}, karta ••••\u00a0${terms.account.slice(-4)}, kod autoryzacji ${chance.digits(6)}`;
  return { day, title: 'Płatność kartą', detail, grosze: -chance.between(lowest, highest) };
}

function salary(day: Date, terms: OperationTerms, chance: Chance): Operation {
  const employer = createChance(`employer/${terms.account}`).pick(employers);
  return {
    day,
    title: 'Wynagrodzenie',
    detail: `${employer}, ${monthName(addDays(day, -payday))}`,
    grosze: chance.between(690_000, 780_000),
  };
}

function transfer(day: Date, terms: OperationTerms, chance: Chance): Operation {
  const [title, purpose, lowest, highest] = chance.pick(transfers);
  const detail = `${purpose.replace('{street}', terms.customer.street.replace(/ m\. \d+$/, ''))}, `;
  const other = spacedAccount(accountNumber('99800008', chance.digits(16)));
  return { day, title, detail: detail + other, grosze: chance.between(lowest, highest) };
}

function topUp(day: Date, terms: OperationTerms, chance: Chance): Operation {
  const detail = terms.kind === 'SAVINGS' ? 'Z rachunku „Nurt”' : 'Z rachunku oszczędnościowego „Zatoka”';
  return { day, title: 'Przelew własny przychodzący', detail, grosze: chance.between(12, 30) * 10_000 };
}

/** The last operation brings the balance to where the next statement begins. */
function balancing(terms: OperationTerms, grosze: number): Operation {
  const day = terms.end;
  if (terms.kind === 'CARD') {
    return grosze > 0
      ? { day, title: 'Spłata karty', detail: 'Polecenie zapłaty z rachunku „Nurt”', grosze }
      : { day, title: 'Płatność kartą', detail: 'Sklep meblowy „Dębina”, Gdańsk', grosze };
  }
  const other =
    terms.kind === 'SAVINGS'
      ? ['Z rachunku „Nurt”', 'Na rachunek „Nurt”']
      : ['Z rachunku oszczędnościowego „Zatoka”', 'Na rachunek oszczędnościowy „Zatoka”'];
  return grosze > 0
    ? { day, title: 'Przelew własny przychodzący', detail: other[0] ?? '', grosze }
    : { day, title: 'Przelew własny wychodzący', detail: other[1] ?? '', grosze };
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
  ['Market budowlany „Cegiełka”, Toruń', 3900, 42_000],
  ['Kwiaciarnia „Niezapominajka”, Gdańsk', 2500, 12_000],
  ['Sklep rowerowy „Szprycha”, Gdynia', 4900, 38_000],
  ['Drogeria „Rumianek”, Toruń', 1490, 13_700],
  ['Sklep spożywczy „Na Rogu”, Bydgoszcz', 690, 9800],
  ['Lodziarnia „Mroźna”, Sopot', 900, 4600],
];

type Transfer = readonly [title: string, purpose: string, lowestGrosze: number, highestGrosze: number];

const transfers: readonly [Transfer, ...Transfer[]] = [
  ['Przelew wychodzący', 'Wspólnota {street}, czynsz', -71_000, -62_000],
  ['Polecenie zapłaty', 'Energetyka Żuławska S.A., energia', -29_000, -11_500],
  ['Przelew wychodzący', 'Telefonia „Echo” sp. z o.o.', -9900, -4500],
  ['Przelew wychodzący', 'Przedszkole „Zakątek”, opłata', -52_000, -38_000],
  ['Przelew na telefon', 'Łukasz Jaśkiewicz, prezent', -12_000, -2000],
  ['Zlecenie stałe', 'TU „Kotwica” S.A., składka', -14_900, -8900],
  ['Przelew przychodzący', 'Jagoda Świętek, zwrot za bilety', 2400, 19_000],
];

const employers: readonly [string, ...string[]] = [
  'Stocznia Jachtowa „Bryza” sp. z o.o.',
  'Wydawnictwo „Gęsie Pióro” sp. z o.o.',
  'Biuro Projektów „Łuk” S.A.',
];
