import { addDays, addMonths, longDay, monthName } from '../calendar.ts';
import type { Block } from '../layout/blocks.ts';
import { amount, percent, spacedAccount, zloty } from '../money.ts';
import { gender } from '../people.ts';
import { createChance } from '../seeded.ts';
import { serifWriting } from './writing.ts';
import type { Occasion, Writing } from './writing.ts';

export type LetterKind =
  | 'rate-change'
  | 'balance-certificate'
  | 'complaint-answer'
  | 'tariff-change'
  | 'fee-statement'
  | 'card-renewal'
  | 'deposit-maturity'
  | 'payment-reminder'
  | 'data-change'
  | 'interest-certificate';

export const letterKinds = [
  'rate-change',
  'balance-certificate',
  'complaint-answer',
  'tariff-change',
  'fee-statement',
  'card-renewal',
  'deposit-maturity',
  'payment-reminder',
  'data-change',
  'interest-certificate',
] as const satisfies readonly LetterKind[];

export function letter(occasion: Occasion, kind: LetterKind): Writing {
  const { customer } = occasion;
  const { title, body } = bodies[kind](occasion);
  const blocks: Block[] = [
    {
      kind: 'paragraph',
      align: 'left',
      text: `**${gender(customer, 'Pani', 'Pan')} ${customer.name}**\n${customer.street}\n${customer.town}`,
    },
    { kind: 'gap', height: 18 },
    { kind: 'title', text: title },
    { kind: 'paragraph', align: 'left', text: customer.salutation },
    ...body,
    { kind: 'gap', height: 10 },
    { kind: 'paragraph', align: 'left', text: 'Z poważaniem' },
    { kind: 'paragraph', align: 'left', text: '**Katarzyna Dębska-Łącka**\nDyrektor Departamentu Obsługi Klienta\nBank Wiślany S.A.' },
    { kind: 'gap', height: 8 },
    {
      kind: 'paragraph',
      small: true,
      align: 'left',
      text: 'Pismo sporządzono w postaci elektronicznej. Autentyczność dokumentu można sprawdzić w portalu, w oknie „Weryfikacja dokumentu”.',
    },
  ];
  return serifWriting(occasion, { title, subject: `${title}, ${occasion.caseNumber}`, blocks });
}

interface Letter {
  title: string;
  body: Block[];
}

function text(...paragraphs: string[]): Block[] {
  return paragraphs.map((paragraph) => ({ kind: 'paragraph', text: paragraph }));
}

const bodies: Record<LetterKind, (occasion: Occasion) => Letter> = {
  'rate-change': ({ customer, day, caseNumber }) => {
    const chance = createChance(`rate/${caseNumber}`);
    const before = chance.between(640, 780);
    const after = before - chance.between(5, 45);
    return {
      title: 'Zawiadomienie o zmianie oprocentowania',
      body: [
        ...text(
          `uprzejmie informujemy, że od dnia **${longDay(addDays(day, 10))}** zmienia się oprocentowanie kredytu prowadzonego na rachunku nr ${spacedAccount(customer.accounts.loan)}. Zmiana wynika ze zmiany wskaźnika referencyjnego, od którego zależy stopa procentowa.`,
        ),
        {
          kind: 'facts',
          rows: [
            ['Oprocentowanie dotychczasowe', percent(before)],
            ['Oprocentowanie nowe', percent(after)],
            ['Obowiązuje od', longDay(addDays(day, 10))],
            ['Marża Banku', `${percent(195)}, bez zmian`],
          ],
        },
        ...text(
          'Nowy harmonogram spłat udostępnimy w portalu dokumentów w ciągu siedmiu dni. Zmiana nie wymaga żadnych dodatkowych czynności, a pobranie raty nastąpi jak dotychczas, 10. dnia miesiąca.',
        ),
      ],
    };
  },
  'balance-certificate': ({ customer, day, caseNumber }) => {
    const chance = createChance(`balance/${caseNumber}`);
    return {
      title: 'Zaświadczenie o stanie rachunków',
      body: [
        ...text(
          `na wniosek złożony w portalu zaświadczamy, że na dzień **${longDay(addDays(day, -1))}** Bank Wiślany S.A. prowadzi na ${gender(customer, 'Pani', 'Pana')} rzecz następujące rachunki:`,
        ),
        {
          kind: 'table',
          table: {
            columns: [
              { title: 'Rachunek', share: 22 },
              { title: 'Numer', share: 40 },
              { title: 'Saldo (zł)', share: 16, align: 'right' },
            ],
            rows: [
              ['„Nurt”', spacedAccount(customer.accounts.current), amount(chance.between(150_000, 1_900_000))],
              ['„Zatoka”', spacedAccount(customer.accounts.savings), amount(chance.between(900_000, 6_900_000))],
            ],
          },
        },
        ...text(
          'Rachunki nie są zajęte ani obciążone prawami osób trzecich. Zaświadczenie wydaje się na prośbę Klienta, bez określenia celu.',
        ),
      ],
    };
  },
  'complaint-answer': ({ customer, day, caseNumber }) => {
    const refund = createChance(`complaint/${caseNumber}`).between(1900, 48_000);
    return {
      title: 'Odpowiedź na reklamację',
      body: text(
        `dziękujemy za zgłoszenie z dnia ${longDay(addDays(day, -9))}, zarejestrowane pod numerem ${caseNumber}. Sprawdziliśmy przebieg transakcji i **uznajemy reklamację w całości**.`,
        `Kwotę **${zloty(refund)}** zwróciliśmy na rachunek nr ${spacedAccount(customer.accounts.current)}. Operacja jest widoczna w historii rachunku i znajdzie się w najbliższym wyciągu.`,
        'Przyczyną było dwukrotne rozliczenie tej samej płatności przez agenta rozliczeniowego. Poprosiliśmy go o wyjaśnienia, a podobne operacje objęliśmy dodatkową kontrolą.',
        `Od odpowiedzi przysługuje ${gender(customer, 'Pani', 'Panu')} odwołanie do Banku, a także wniosek o pozasądowe rozwiązanie sporu. Przepraszamy za niedogodności.`,
      ),
    };
  },
  'tariff-change': ({ day }) => ({
    title: 'Informacja o zmianie taryfy opłat i prowizji',
    body: [
      ...text(
        `informujemy, że z dniem **${longDay(addMonths(day, 2))}** wchodzi w życie zmieniona taryfa opłat i prowizji dla klientów indywidualnych. Najważniejsze zmiany zestawiliśmy poniżej.`,
      ),
      {
        kind: 'table',
        table: {
          columns: [
            { title: 'Czynność', share: 46 },
            { title: 'Dotychczas', share: 18, align: 'right' },
            { title: 'Po zmianie', share: 18, align: 'right' },
          ],
          rows: [
            ['Przelew natychmiastowy', zloty(500), zloty(300)],
            ['Duplikat karty debetowej', zloty(2000), zloty(1500)],
            ['Zaświadczenie w postaci papierowej', zloty(3000), zloty(3500)],
            ['Zaświadczenie w portalu dokumentów', zloty(1000), 'bez opłaty'],
          ],
        },
      },
      ...text(
        'Pełną taryfę udostępniamy w części „Dokumenty publiczne”. Przyczyną zmian są niższe koszty rozliczeń międzybankowych oraz wyższe koszty druku i doręczeń.',
        'Brak sprzeciwu przed dniem wejścia zmian w życie oznacza ich przyjęcie. W razie sprzeciwu umowa wygasa z dniem poprzedzającym zmiany, bez dodatkowych opłat.',
      ),
    ],
  }),
  'fee-statement': ({ day, caseNumber }) => {
    const chance = createChance(`fees/${caseNumber}`);
    const fees = [chance.between(0, 12) * 900, chance.between(0, 12) * 300, chance.between(0, 12) * 500] as const;
    return {
      title: 'Zestawienie opłat związanych z rachunkiem',
      body: [
        ...text(
          `przekazujemy roczne zestawienie opłat i odsetek pobranych w roku ${day.getUTCFullYear() - 1} za usługi powiązane z rachunkiem płatniczym.`,
        ),
        {
          kind: 'table',
          table: {
            columns: [
              { title: 'Usługa', share: 50 },
              { title: 'Liczba', share: 12, align: 'right' },
              { title: 'Suma (zł)', share: 18, align: 'right' },
            ],
            rows: [
              ['Prowadzenie rachunku', String(fees[0] / 900), amount(fees[0])],
              ['Polecenie przelewu natychmiastowego', String(fees[1] / 300), amount(fees[1])],
              ['Wypłata gotówki w innym bankomacie', String(fees[2] / 500), amount(fees[2])],
            ],
            total: ['Razem', '', amount(fees[0] + fees[1] + fees[2])],
          },
        },
        ...text('Odsetki od salda ujemnego nie wystąpiły. Zestawienie ma charakter informacyjny i nie wymaga zapłaty.'),
      ],
    };
  },
  'card-renewal': ({ customer, day }) => ({
    title: 'Wznowienie karty płatniczej',
    body: text(
      `ważność karty wydanej do rachunku nr ${spacedAccount(customer.accounts.card)} upływa z końcem miesiąca: **${monthName(addMonths(day, 1))}**. Nową kartę wysłaliśmy na adres korespondencyjny.`,
      'Karta ma ten sam numer PIN. Wystarczy nią zapłacić albo wypłacić gotówkę, a poprzednia karta przestanie działać. Płatności cykliczne przeniesiemy samoczynnie.',
      'Jeżeli przesyłka nie dotrze w ciągu 14 dni, prosimy o wiadomość w portalu.',
    ),
  }),
  'deposit-maturity': ({ customer, day, caseNumber }) => {
    const capital = createChance(`maturity/${caseNumber}`).between(10, 80) * 100_000;
    return {
      title: 'Zawiadomienie o zapadalności lokaty',
      body: [
        ...text(
          'informujemy, że zakończył się okres umowny lokaty terminowej. Środki wraz z odsetkami przekazaliśmy na rachunek oszczędnościowo-rozliczeniowy.',
        ),
        {
          kind: 'facts',
          rows: [
            ['Kwota lokaty', zloty(capital)],
            ['Odsetki', zloty(Math.round(capital * 0.0225))],
            ['Podatek', zloty(Math.round(capital * 0.0225 * 0.19))],
            ['Dzień zapadalności', longDay(day)],
            ['Rachunek', spacedAccount(customer.accounts.current)],
          ],
        },
        ...text(
          'Aktualne oprocentowanie lokat znajduje się w części „Dokumenty publiczne”. Nową lokatę można otworzyć w bankowości elektronicznej.',
        ),
      ],
    };
  },
  'payment-reminder': ({ customer, day }) => ({
    title: 'Przypomnienie o terminie płatności',
    body: text(
      `przypominamy, że **${longDay(addDays(day, 5))}** przypada termin płatności raty kredytu. Prosimy o zapewnienie środków na rachunku nr ${spacedAccount(customer.accounts.loan)} najpóźniej w tym dniu.`,
      'Jeżeli rata jest już opłacona, prosimy potraktować to pismo jako bezprzedmiotowe. W razie trudności ze spłatą zachęcamy do kontaktu: możemy zaproponować zmianę terminu albo zawieszenie części rat.',
    ),
  }),
  'data-change': ({ customer, day }) => ({
    title: 'Potwierdzenie zmiany danych',
    body: text(
      `potwierdzamy przyjęcie dyspozycji zmiany danych kontaktowych, złożonej w dniu ${longDay(addDays(day, -1))}. Zmiana obejmuje wszystkie produkty prowadzone pod numerem klienta ${customer.client.cif}.`,
      `Jeżeli dyspozycja nie pochodzi od ${gender(customer, 'Pani', 'Pana')}, prosimy o niezwłoczny kontakt z Bankiem. Do czasu wyjaśnienia wstrzymamy wykonywanie zleceń z nowego adresu.`,
    ),
  }),
  'interest-certificate': ({ customer, day, caseNumber }) => {
    const interest = createChance(`interest/${caseNumber}`).between(420_000, 1_900_000);
    return {
      title: 'Zaświadczenie o zapłaconych odsetkach',
      body: text(
        `zaświadczamy, że w roku ${day.getUTCFullYear() - 1} na poczet odsetek od kredytu prowadzonego na rachunku nr ${spacedAccount(customer.accounts.loan)} wpłynęła łącznie kwota **${zloty(interest)}**.`,
        'Zadłużenie jest regulowane terminowo, a Bank nie prowadzi wobec Kredytobiorcy postępowania egzekucyjnego. Zaświadczenie wydaje się w celu przedłożenia właściwym organom.',
      ),
    };
  },
};
