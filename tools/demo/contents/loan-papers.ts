import { addDays, addMonths, isoDay, longDay, shortDay } from '../calendar.ts';
import type { Block } from '../layout/blocks.ts';
import { amount, percent, spacedAccount, zloty } from '../money.ts';
import { firstPayment, installment } from './agreements.ts';
import type { LoanTerms } from './agreements.ts';
import { complaints, electronicChannel, paragraphs } from './clauses.ts';
import { parties, serifWriting, signatures } from './writing.ts';
import type { Occasion, Writing } from './writing.ts';

/** Schedule of equal instalments: the dates, the interest and what is left of the capital. */
export function repaymentSchedule(occasion: Occasion, terms: LoanTerms & { shownMonths: number }): Writing {
  const title = 'Harmonogram spłat kredytu';
  const rows = instalments(terms, firstPayment(occasion.day)).slice(0, terms.shownMonths);
  const sum = (pick: (row: Instalment) => number): number => rows.reduce((total, row) => total + pick(row), 0);
  const blocks: Block[] = [
    { kind: 'title', text: title, lines: [`załącznik do umowy kredytu nr ${occasion.caseNumber}`] },
    {
      kind: 'facts',
      rows: [
        ['Kredytobiorca', `${occasion.customer.name}, ${occasion.customer.street}, ${occasion.customer.town}`],
        ['Rachunek kredytowy', spacedAccount(occasion.customer.accounts.loan)],
        ['Kwota kredytu', zloty(terms.grosze)],
        ['Oprocentowanie', `${percent(terms.rate)} w stosunku rocznym`],
        ['Liczba rat', String(terms.months)],
      ],
    },
    {
      kind: 'table',
      table: {
        columns: [
          { title: 'Nr', share: 5, align: 'right' },
          { title: 'Termin', share: 12 },
          { title: 'Kapitał (zł)', share: 14, align: 'right' },
          { title: 'Odsetki (zł)', share: 14, align: 'right' },
          { title: 'Rata (zł)', share: 14, align: 'right' },
          { title: 'Pozostaje do spłaty (zł)', share: 20, align: 'right' },
        ],
        rows: rows.map((row, index) => [
          String(index + 1),
          shortDay(row.day),
          amount(row.capital),
          amount(row.interest),
          amount(row.capital + row.interest),
          amount(row.left),
        ]),
        total: [
          '',
          'Razem',
          amount(sum((row) => row.capital)),
          amount(sum((row) => row.interest)),
          amount(sum((row) => row.capital + row.interest)),
          '',
        ],
      },
    },
    {
      kind: 'paragraph',
      text:
        terms.shownMonths < terms.months
          ? `Harmonogram obejmuje najbliższe ${terms.shownMonths} rat. Następny harmonogram Bank udostępni przed ich wygaśnięciem albo po zmianie stopy procentowej.`
          : 'Harmonogram obejmuje cały okres kredytowania.',
    },
    { kind: 'paragraph', text: 'Jeżeli termin płatności przypada w dniu wolnym od pracy, rata jest płatna najbliższego dnia roboczego.' },
  ];
  return serifWriting(occasion, { title, subject: `${title} nr ${occasion.caseNumber}`, blocks });
}

export interface AnnexTerms {
  number: number;
  agreementNumber: string;
  agreementDay: Date;
  /** The state of the loan on the day of the annex, at the rate that holds from then on. */
  loan: LoanTerms;
  reason: 'payment-day' | 'rate' | 'holiday';
}

export function loanAnnex(occasion: Occasion, terms: AnnexTerms): Writing {
  const title = `Aneks nr ${terms.number}`;
  const about = `do umowy kredytu hipotecznego nr ${terms.agreementNumber}`;
  const blocks: Block[] = [
    { kind: 'title', text: title, lines: [about, `zawarty w dniu ${longDay(occasion.day)} w Gdańsku pomiędzy:`] },
    parties(occasion.customer, 'Kredytobiorcą'),
    ...paragraphs([
      {
        title: 'Przedmiot aneksu',
        points: [
          `Strony zgodnie postanawiają zmienić umowę kredytu hipotecznego nr ${terms.agreementNumber} z dnia ${longDay(terms.agreementDay)} ${subjects[terms.reason]}.`,
          'Pozostałe postanowienia umowy pozostają bez zmian.',
        ],
      },
      ...annexClauses(occasion, terms),
      {
        title: 'Oświadczenia Kredytobiorcy',
        points: [
          'Kredytobiorca oświadcza, że jego sytuacja majątkowa nie uległa pogorszeniu od dnia zawarcia umowy, a zobowiązania wobec Banku reguluje terminowo.',
          {
            text: 'Kredytobiorca potwierdza, że przed podpisaniem aneksu otrzymał:',
            letters: [
              'wzór aneksu z wyjaśnieniem jego skutków,',
              'zestawienie najbliższych rat,',
              'informację o kosztach, które wynikają ze zmiany.',
            ],
          },
          'Kredytobiorca wyraża zgodę na udostępnienie jednolitego tekstu umowy w portalu dokumentów.',
        ],
      },
      electronicChannel,
      complaints,
      {
        title: 'Postanowienia końcowe',
        points: [
          'Aneks wchodzi w życie z dniem podpisania przez obie Strony.',
          'Aneks nie stanowi odnowienia zobowiązania, a zabezpieczenia ustanowione w umowie zachowują moc.',
          'Aneks sporządzono w dwóch jednobrzmiących egzemplarzach, po jednym dla każdej ze Stron.',
        ],
      },
    ]),
    signatures(occasion.customer),
    { kind: 'section', text: 'Załącznik. Najbliższe raty' },
    nextInstalments(terms, firstPayment(occasion.day)),
  ];
  return serifWriting(occasion, { title: `${title} ${about}`, subject: `${title} ${about}`, blocks });
}

function nextInstalments(terms: AnnexTerms, first: Date): Block {
  return {
    kind: 'table',
    table: {
      columns: [
        { title: 'Termin', share: 20 },
        { title: 'Kapitał (zł)', share: 20, align: 'right' },
        { title: 'Odsetki (zł)', share: 20, align: 'right' },
        { title: 'Rata (zł)', share: 20, align: 'right' },
      ],
      rows: instalments(terms.loan, first)
        .slice(0, 12)
        .map((row) => [shortDay(row.day), amount(row.capital), amount(row.interest), amount(row.capital + row.interest)]),
    },
  };
}

const subjects: Record<AnnexTerms['reason'], string> = {
  'payment-day': 'w zakresie terminu spłaty raty',
  rate: 'w zakresie sposobu oprocentowania kredytu',
  holiday: 'w zakresie zawieszenia spłaty dwóch rat',
};

function annexClauses(occasion: Occasion, terms: AnnexTerms): Parameters<typeof paragraphs>[0] {
  if (terms.reason === 'payment-day') {
    return [
      {
        title: 'Termin spłaty',
        points: [
          'Termin płatności każdej raty przypada na 10. dzień miesiąca kalendarzowego.',
          'Jeżeli dzień ten jest wolny od pracy, rata jest płatna najbliższego dnia roboczego.',
          `Pierwsza rata w nowym terminie jest płatna ${longDay(firstPayment(occasion.day))}. Za okres przejściowy nalicza się odsetki według dotychczasowych zasad.`,
        ],
      },
    ];
  }
  if (terms.reason === 'rate') {
    return [
      {
        title: 'Oprocentowanie',
        points: [
          `Od dnia ${longDay(addDays(occasion.day, 14))} kredyt jest oprocentowany według okresowo stałej stopy procentowej, która wynosi **${percent(terms.loan.rate)}** w stosunku rocznym.`,
          'Stała stopa obowiązuje przez 60 miesięcy. Przed jej wygaśnięciem Bank przedstawi Kredytobiorcy warunki na następny okres.',
          'Nowy harmonogram spłat Bank udostępnia w portalu dokumentów w terminie 7 dni od wejścia aneksu w życie.',
        ],
      },
      {
        title: 'Ryzyko i informacje',
        points: [
          'Kredytobiorca oświadcza, że otrzymał symulację rat przy stopie stałej i zmiennej oraz rozumie, że w okresie stałej stopy spadek wskaźnika referencyjnego nie obniży raty.',
          'Bank nie pobiera opłaty za zmianę sposobu oprocentowania.',
        ],
      },
    ];
  }
  return [
    {
      title: 'Zawieszenie spłaty',
      points: [
        `Bank zawiesza spłatę dwóch rat, płatnych ${longDay(firstPayment(occasion.day))} i ${longDay(addMonths(firstPayment(occasion.day), 1))}.`,
        'W okresie zawieszenia Kredytobiorca spłaca wyłącznie odsetki. Okres kredytowania wydłuża się o dwa miesiące.',
        'Zawieszenie nie wpływa na ocenę zdolności kredytowej i nie jest zgłaszane jako opóźnienie.',
      ],
    },
  ];
}

/** What is left of a loan after some paid instalments. */
export function remainingTerms(terms: LoanTerms, paidMonths: number): LoanTerms {
  const paid = instalments(terms, new Date(0)).slice(0, paidMonths);
  return { ...terms, grosze: paid.at(-1)?.left ?? terms.grosze, months: terms.months - paid.length };
}

/** Number of an agreement or a case, e.g. KH/2026/03208. */
export function caseNumber(prefix: string, day: Date, serial: number): string {
  return `${prefix}/${isoDay(day).slice(0, 4)}/${String(serial).padStart(5, '0')}`;
}

interface Instalment {
  day: Date;
  capital: number;
  interest: number;
  left: number;
}

function instalments(terms: LoanTerms, first: Date): Instalment[] {
  const payment = installment(terms);
  const rows: Instalment[] = [];
  let left = terms.grosze;
  for (let index = 0; index < terms.months; index += 1) {
    const interest = Math.round((left * terms.rate) / 10_000 / 12);
    const capital = index === terms.months - 1 ? left : Math.min(left, payment - interest);
    left -= capital;
    rows.push({ day: addMonths(first, index), capital, interest, left });
  }
  return rows;
}
