import { addDays, longDay } from '../calendar.ts';
import type { Block } from '../layout/blocks.ts';
import { percent } from '../money.ts';
import { complaints, electronicChannel, finalProvisions, liability, paragraphs, personalData, termination } from './clauses.ts';
import type { Clause } from './clauses.ts';
import { tariff } from './tariffs.ts';
import type { Writing } from './writing.ts';

export interface PublicPaper {
  title: string;
  group: 'TARIFFS' | 'INTEREST_RATES' | 'REGULATIONS' | 'INFORMATION';
  daysAgo: number;
  /** Days from publication to the last day; without it the paper holds until further notice. */
  validDays?: number;
  blocks: readonly Block[];
}

export function publicWriting(paper: PublicPaper, day: Date): Writing {
  const isTable = paper.group === 'TARIFFS' || paper.group === 'INTEREST_RATES';
  return {
    title: paper.title,
    subject: paper.title,
    family: isTable ? 'sans' : 'serif',
    letterhead: { right: ['Dokument publiczny', `obowiązuje od ${longDay(day)}`], running: paper.title },
    blocks: [{ kind: 'title', text: paper.title, lines: [validity(paper, day)] }, ...paper.blocks],
  };
}

/** „od 1 stycznia 2026 r. do odwołania” */
export function validity(paper: PublicPaper, day: Date): string {
  return `od ${longDay(day)} ${paper.validDays === undefined ? 'do odwołania' : `do ${longDay(addDays(day, paper.validDays))}`}`;
}

export function listPublicPapers(): PublicPaper[] {
  return [
    {
      title: 'Taryfa opłat i prowizji dla klientów indywidualnych',
      group: 'TARIFFS',
      daysAgo: 45,
      blocks: tariff(['rachunki', 'przelewy', 'karty', 'dokumenty']),
    },
    { title: 'Tabela oprocentowania lokat i rachunków', group: 'INTEREST_RATES', daysAgo: 20, validDays: 92, blocks: depositRates() },
    { title: 'Tabela oprocentowania kredytów', group: 'INTEREST_RATES', daysAgo: 20, validDays: 92, blocks: loanRates() },
    {
      title: 'Regulamin rachunków dla klientów indywidualnych',
      group: 'REGULATIONS',
      daysAgo: 210,
      blocks: rules('rachunków', 'termination'),
    },
    { title: 'Regulamin kart płatniczych', group: 'REGULATIONS', daysAgo: 310, blocks: rules('kart płatniczych', 'termination') },
    { title: 'Regulamin kredytów hipotecznych', group: 'REGULATIONS', daysAgo: 150, blocks: rules('kredytów hipotecznych', 'plain') },
    {
      title: 'Regulamin bankowości elektronicznej',
      group: 'REGULATIONS',
      daysAgo: 95,
      blocks: rules('bankowości elektronicznej', 'termination'),
    },
    { title: 'Taryfa opłat dla kart płatniczych', group: 'TARIFFS', daysAgo: 80, validDays: 365, blocks: tariff(['karty']) },
    { title: 'Taryfa opłat dla kredytów', group: 'TARIFFS', daysAgo: 130, blocks: tariff(['kredyty', 'dokumenty']) },
    { title: 'Informacja o ochronie gwarancyjnej depozytów', group: 'INFORMATION', daysAgo: 400, blocks: information('guarantee') },
    { title: 'Informacja o przetwarzaniu danych osobowych', group: 'INFORMATION', daysAgo: 500, blocks: information('privacy') },
    { title: 'Tabela kursów rozliczeniowych', group: 'INTEREST_RATES', daysAgo: 3, validDays: 7, blocks: exchangeRates() },
  ];
}

function ratesTable(head: readonly [string, string, string], rows: readonly (readonly [string, string, string])[]): Block {
  return {
    kind: 'table',
    table: {
      columns: [
        { title: head[0], share: 48 },
        { title: head[1], share: 26, align: 'right' },
        { title: head[2], share: 26, align: 'right' },
      ],
      rows,
    },
  };
}

function depositRates(): Block[] {
  const terms = ['1 miesiąc', '3 miesiące', '6 miesięcy', '9 miesięcy', '12 miesięcy', '24 miesiące', '36 miesięcy'];
  return [
    { kind: 'section', text: 'Lokaty terminowe „Przystań”' },
    ratesTable(
      ['Okres', 'do 50 000,00 zł', 'od 50 000,01 zł'],
      terms.map((term, index) => [term, percent(200 + index * 35), percent(225 + index * 38)]),
    ),
    { kind: 'section', text: 'Rachunki' },
    ratesTable(
      ['Rachunek', 'Stopa standardowa', 'Stopa promocyjna'],
      [
        ['Oszczędnościowy „Zatoka”', percent(150), percent(450)],
        ['Oszczędnościowo-rozliczeniowy „Nurt”', percent(0), '–'],
        ['Oszczędnościowy w euro', percent(25), '–'],
      ],
    ),
    {
      kind: 'paragraph',
      text: 'Stopa promocyjna obowiązuje nowe środki do kwoty 100 000,00 zł przez 90 dni od otwarcia rachunku. Odsetki kapitalizuje się na koniec miesiąca, a od odsetek pobiera się podatek w wysokości 19%.',
    },
  ];
}

function loanRates(): Block[] {
  return [
    { kind: 'section', text: 'Kredyty hipoteczne' },
    ratesTable(
      ['Sposób oprocentowania', 'Marża', 'Stopa'],
      [
        ['Zmienna stopa, wkład własny co najmniej 20%', percent(195), percent(645)],
        ['Zmienna stopa, wkład własny od 10% do 20%', percent(225), percent(675)],
        ['Stopa okresowo stała na 60 miesięcy', '–', percent(619)],
        ['Stopa okresowo stała na 84 miesiące', '–', percent(635)],
      ],
    ),
    { kind: 'section', text: 'Kredyty gotówkowe i limity' },
    ratesTable(
      ['Produkt', 'Prowizja', 'Stopa'],
      [
        ['Kredyt gotówkowy do 24 miesięcy', percent(290), percent(990)],
        ['Kredyt gotówkowy od 25 do 96 miesięcy', percent(490), percent(1090)],
        ['Limit w rachunku', percent(150), percent(1290)],
        ['Karta kredytowa „Latarnia”', '–', percent(1350)],
      ],
    ),
    {
      kind: 'paragraph',
      text: 'Stopa zmienna jest sumą wskaźnika referencyjnego i marży. Rzeczywista roczna stopa oprocentowania zależy od kwoty i okresu kredytu; Bank podaje ją w formularzu informacyjnym przed zawarciem umowy.',
    },
  ];
}

function exchangeRates(): Block[] {
  const rows = [
    ['EUR', 'euro', '4,1875', '4,3527'],
    ['USD', 'dolar amerykański', '3,5614', '3,7188'],
    ['CHF', 'frank szwajcarski', '4,4702', '4,6551'],
    ['GBP', 'funt szterling', '4,8093', '5,0120'],
    ['SEK', 'korona szwedzka', '0,3790', '0,3966'],
    ['NOK', 'korona norweska', '0,3571', '0,3744'],
    ['CZK', 'korona czeska', '0,1698', '0,1786'],
  ];
  return [
    {
      kind: 'table',
      table: {
        columns: [
          { title: 'Kod', share: 12 },
          { title: 'Waluta', share: 48 },
          { title: 'Kupno', share: 20, align: 'right' },
          { title: 'Sprzedaż', share: 20, align: 'right' },
        ],
        rows,
      },
    },
    {
      kind: 'paragraph',
      text: 'Kursy stosuje się do transakcji bezgotówkowych o równowartości do 200 000,00 zł. Dla wyższych kwot Bank uzgadnia kurs z Klientem.',
    },
  ];
}

function rules(subject: string, ending: 'termination' | 'plain'): Block[] {
  const general: Clause = {
    title: 'Postanowienia ogólne',
    points: [
      `Regulamin określa zasady zawierania i wykonywania umów dotyczących ${subject} w Banku Wiślanym S.A.`,
      'Regulamin stanowi integralną część umowy. W razie rozbieżności pierwszeństwo mają postanowienia umowy.',
      {
        text: 'Użyte w regulaminie określenia oznaczają:',
        letters: [
          '**Bank** – Bank Wiślany S.A. z siedzibą w Gdańsku,',
          '**Klient** – osobę fizyczną, która zawarła umowę z Bankiem,',
          '**portal** – serwis, w którym Bank udostępnia dokumenty na trwałym nośniku,',
          '**dzień roboczy** – dzień inny niż sobota i dzień ustawowo wolny od pracy,',
          '**taryfę** – zestawienie opłat i prowizji obowiązujących w Banku.',
        ],
      },
    ],
  };
  const conclusion: Clause = {
    title: 'Zawarcie umowy',
    points: [
      'Warunkiem zawarcia umowy jest potwierdzenie tożsamości Klienta oraz złożenie wniosku zawierającego prawdziwe dane.',
      'Bank może odmówić zawarcia umowy, podając przyczynę odmowy, jeżeli przepisy tego nie zabraniają.',
      'Umowę można zawrzeć w placówce albo na odległość, z użyciem środków identyfikacji elektronicznej.',
    ],
  };
  return paragraphs([
    general,
    conclusion,
    liability,
    electronicChannel,
    complaints,
    personalData,
    ...(ending === 'termination' ? [termination('jednomiesięcznego')] : []),
    finalProvisions(),
  ]);
}

function information(about: 'guarantee' | 'privacy'): Block[] {
  if (about === 'privacy') {
    return paragraphs([
      personalData,
      {
        title: 'Okres przechowywania',
        points: [
          'Dane przechowuje się przez czas trwania umowy, a po jej rozwiązaniu przez okres przedawnienia roszczeń oraz okres wymagany przez przepisy o rachunkowości.',
          'Dokumenty w portalu przechowuje się do dnia wskazanego w ich szczegółach.',
        ],
      },
      {
        title: 'Kontakt',
        points: [
          'We wszystkich sprawach dotyczących danych osobowych można zwrócić się do inspektora ochrony danych na adres siedziby Banku albo przez portal.',
        ],
      },
    ]);
  }
  return [
    {
      kind: 'facts',
      rows: [
        ['Ochrona depozytów zapewniana jest przez', 'ustawowy system gwarantowania depozytów'],
        ['Zakres ochrony', 'równowartość w złotych 100 000 euro na jednego deponenta'],
        ['Depozyty w tym samym banku', 'sumuje się, a suma podlega temu samemu limitowi'],
        ['Rachunek wspólny', 'limit stosuje się do każdego ze współposiadaczy osobno'],
        ['Okres wypłaty', '7 dni roboczych od dnia spełnienia warunku gwarancji'],
        ['Waluta wypłaty', 'złoty'],
      ],
    },
    {
      kind: 'paragraph',
      text: 'Niektóre depozyty, na przykład pochodzące ze sprzedaży nieruchomości mieszkalnej, są chronione do wyższej kwoty przez trzy miesiące od ich wpływu na rachunek.',
    },
    {
      kind: 'paragraph',
      text: 'Ochroną nie są objęte środki instytucji finansowych oraz rachunki, na których w okresie dwóch lat nie dokonano obrotów, a suma środków nie przekracza 2,5 euro.',
    },
  ];
}

/** Of tables of rates, how long each holds; tariffs hold for a year. */
const quarterDays = 92;
const yearDays = 365;

/** What held before: four years of the tables of rates, and the tariffs of six years. The newest first. */
export function listFormerPapers(): PublicPaper[] {
  const former = listPublicPapers().flatMap((paper) => {
    const holdsDays = paper.validDays === quarterDays ? quarterDays : paper.group === 'TARIFFS' ? yearDays : undefined;
    if (holdsDays === undefined) return [];
    const editions = holdsDays === quarterDays ? 16 : 6;
    return Array.from({ length: editions }, (_, index) => ({
      ...paper,
      daysAgo: paper.daysAgo + (index + 1) * holdsDays,
      validDays: holdsDays - 1,
    }));
  });
  return former.toSorted((a, b) => a.daysAgo - b.daysAgo);
}
