import { addDays, addMonths, longDay } from '../calendar.ts';
import type { Block } from '../layout/blocks.ts';
import { amount, zloty } from '../money.ts';
import { complaints, paragraphs, personalData } from './clauses.ts';
import { serifWriting, signatures } from './writing.ts';
import type { Occasion, Writing } from './writing.ts';

export type PolicyKind = 'home' | 'life' | 'travel';

const policyTitles: Record<PolicyKind, string> = {
  home: 'Polisa ubezpieczenia nieruchomości',
  life: 'Polisa ubezpieczenia na życie',
  travel: 'Polisa ubezpieczenia podróży',
};

export function insurancePolicy(occasion: Occasion, kind: PolicyKind): Writing {
  const { customer, day } = occasion;
  const title = policyTitles[kind];
  const covers = coverage[kind];
  const blocks: Block[] = [
    { kind: 'title', text: title, lines: [`nr ${occasion.caseNumber}`] },
    {
      kind: 'facts',
      rows: [
        ['Ubezpieczający', `${customer.name}, ${customer.street}, ${customer.town}`],
        ['Ubezpieczyciel', 'Towarzystwo Ubezpieczeń „Kotwica” S.A.'],
        ['Pośrednik', 'Bank Wiślany S.A.'],
        ['Okres ubezpieczenia', `od ${longDay(addDays(day, 1))} do ${longDay(addMonths(day, 12))}`],
        ['Składka', `${zloty(covers.reduce((sum, cover) => sum + cover.premium, 0))}, płatna jednorazowo`],
      ],
    },
    { kind: 'section', text: 'Zakres ubezpieczenia' },
    {
      kind: 'table',
      table: {
        columns: [
          { title: 'Przedmiot', share: 44 },
          { title: 'Suma ubezpieczenia (zł)', share: 22, align: 'right' },
          { title: 'Składka (zł)', share: 16, align: 'right' },
        ],
        rows: covers.map((cover) => [`${cover.name}\n${cover.detail}`, amount(cover.sum), amount(cover.premium)]),
        total: ['Razem', '', amount(covers.reduce((sum, cover) => sum + cover.premium, 0))],
      },
    },
    ...paragraphs([
      {
        title: 'Zgłoszenie szkody',
        points: [
          'Ubezpieczający zgłasza szkodę bez zwłoki, nie później niż w ciągu 7 dni od jej powstania albo uzyskania o niej wiadomości.',
          {
            text: 'Do zgłoszenia dołącza się:',
            letters: [
              'opis okoliczności zdarzenia,',
              'dokumenty potwierdzające wysokość szkody,',
              'numer rachunku do wypłaty świadczenia.',
            ],
          },
          'Ubezpieczyciel wypłaca świadczenie w terminie 30 dni od dnia otrzymania zgłoszenia.',
        ],
      },
      {
        title: 'Wyłączenia',
        points: [
          'Ubezpieczenie nie obejmuje szkód wyrządzonych umyślnie ani będących następstwem działań wojennych.',
          'Jeżeli Ubezpieczający z rażącego niedbalstwa nie zapobiegł szkodzie, świadczenie może być odpowiednio zmniejszone.',
        ],
      },
      complaints,
      personalData,
    ]),
    signatures(customer),
  ];
  return serifWriting(occasion, { title, subject: `${title} nr ${occasion.caseNumber}`, blocks });
}

interface Cover {
  name: string;
  detail: string;
  sum: number;
  premium: number;
}

const coverage: Record<PolicyKind, readonly Cover[]> = {
  home: [
    { name: 'Mury i stałe elementy', detail: 'ogień, zalanie, wichura, przepięcie', sum: 52_000_000, premium: 31_200 },
    { name: 'Ruchomości domowe', detail: 'w tym kradzież z włamaniem', sum: 6_000_000, premium: 10_800 },
    { name: 'Odpowiedzialność cywilna', detail: 'w życiu prywatnym, na terenie Polski', sum: 10_000_000, premium: 4500 },
  ],
  life: [
    { name: 'Śmierć ubezpieczonego', detail: 'bez względu na przyczynę', sum: 30_000_000, premium: 72_000 },
    { name: 'Trwałe inwalidztwo', detail: 'wskutek nieszczęśliwego wypadku', sum: 15_000_000, premium: 18_500 },
  ],
  travel: [
    { name: 'Koszty leczenia', detail: 'Europa, z uprawianiem sportów rekreacyjnych', sum: 40_000_000, premium: 8900 },
    { name: 'Bagaż podróżny', detail: 'kradzież, zniszczenie, opóźnienie', sum: 400_000, premium: 2400 },
    { name: 'Następstwa wypadków', detail: 'uszczerbek na zdrowiu', sum: 4_000_000, premium: 1900 },
  ],
};
