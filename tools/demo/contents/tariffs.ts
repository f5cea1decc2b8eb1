import type { Block, Table } from '../layout/blocks.ts';
import { percent, zloty } from '../money.ts';

export type TariffPart = 'rachunki' | 'przelewy' | 'karty' | 'kredyty' | 'dokumenty';

const tariffParts: Record<TariffPart, { title: string; rows: readonly (readonly [string, string, string])[] }> = {
  rachunki: {
    title: 'Rachunki',
    rows: [
      ['Otwarcie rachunku „Nurt”', 'jednorazowo', 'bez opłaty'],
      ['Prowadzenie rachunku „Nurt”\nbez opłaty przy wpływach od 2 000,00 zł miesięcznie', 'miesięcznie', zloty(900)],
      ['Prowadzenie rachunku oszczędnościowego „Zatoka”', 'miesięcznie', 'bez opłaty'],
      ['Prowadzenie rachunku walutowego (EUR, GBP, CHF)', 'miesięcznie', zloty(300)],
      ['Przyznanie limitu w rachunku', 'od kwoty limitu', percent(150)],
      ['Pełnomocnictwo do rachunku: ustanowienie, zmiana, odwołanie', 'za czynność', zloty(1500)],
      ['Zamknięcie rachunku', 'jednorazowo', 'bez opłaty'],
    ],
  },
  przelewy: {
    title: 'Przelewy i wypłaty',
    rows: [
      ['Przelew w bankowości elektronicznej', 'za zlecenie', 'bez opłaty'],
      ['Przelew natychmiastowy', 'za zlecenie', zloty(300)],
      ['Przelew złożony w placówce', 'za zlecenie', zloty(1000)],
      ['Przelew do kraju Unii Europejskiej w euro', 'za zlecenie', zloty(500)],
      ['Przelew zagraniczny\nprowizja 0,20%, nie mniej niż 30,00 zł i nie więcej niż 200,00 zł', 'od kwoty', percent(20)],
      ['Zlecenie stałe: ustanowienie i wykonanie', 'za czynność', 'bez opłaty'],
      ['Wypłata gotówki w placówce', 'za wypłatę', zloty(800)],
    ],
  },
  karty: {
    title: 'Karty płatnicze',
    rows: [
      ['Wydanie karty debetowej', 'jednorazowo', 'bez opłaty'],
      ['Obsługa karty debetowej\nbez opłaty przy pięciu płatnościach w miesiącu', 'miesięcznie', zloty(700)],
      ['Obsługa karty kredytowej „Latarnia”', 'rocznie', zloty(9600)],
      ['Duplikat karty', 'za kartę', zloty(1500)],
      ['Wypłata z bankomatu Banku Wiślanego', 'za wypłatę', 'bez opłaty'],
      ['Wypłata z innego bankomatu w kraju', 'za wypłatę', zloty(500)],
      ['Wypłata z bankomatu za granicą\nnie mniej niż 10,00 zł', 'od kwoty', percent(300)],
      ['Przewalutowanie transakcji', 'od kwoty', percent(200)],
    ],
  },
  kredyty: {
    title: 'Kredyty',
    rows: [
      ['Udzielenie kredytu hipotecznego', 'od kwoty', percent(150)],
      ['Udzielenie kredytu gotówkowego', 'od kwoty', percent(490)],
      ['Wcześniejsza spłata w pierwszych trzech latach\nkredyt hipoteczny ze zmienną stopą', 'od kwoty', percent(100)],
      ['Aneks do umowy na wniosek Kredytobiorcy', 'za aneks', zloty(20_000)],
      ['Wycena nieruchomości', 'za lokal', zloty(40_000)],
      ['Zgoda na wykreślenie hipoteki', 'jednorazowo', 'bez opłaty'],
      ['Wezwanie do zapłaty', 'za pismo', 'bez opłaty'],
    ],
  },
  dokumenty: {
    title: 'Dokumenty',
    rows: [
      ['Dokument w portalu dokumentów', 'za dokument', 'bez opłaty'],
      ['Wyciąg w postaci papierowej', 'za wyciąg', zloty(800)],
      ['Zaświadczenie w postaci papierowej', 'za zaświadczenie', zloty(3500)],
      ['Odtworzenie historii rachunku sprzed ponad 5 lat', 'za rok', zloty(5000)],
    ],
  },
};

export function tariff(parts: readonly TariffPart[]): Block[] {
  return [
    {
      kind: 'paragraph',
      text: 'Opłaty pobiera się w złotych, w dniu wykonania czynności, chyba że umowa stanowi inaczej. Opłaty miesięczne pobiera się ostatniego dnia miesiąca.',
    },
    ...parts.flatMap((part, index): Block[] => [
      { kind: 'section', text: `${['I', 'II', 'III', 'IV', 'V'][index] ?? ''}. ${tariffParts[part].title}` },
      { kind: 'table', table: feeTable(tariffParts[part].rows) },
    ]),
    {
      kind: 'paragraph',
      small: true,
      text: 'Taryfa nie stanowi oferty w rozumieniu Kodeksu cywilnego. Pojęcia użyte w taryfie mają znaczenie nadane w regulaminach produktów.',
    },
  ];
}

function feeTable(rows: readonly (readonly [string, string, string])[]): Table {
  return {
    columns: [
      { title: 'Lp.', share: 6, align: 'right' },
      { title: 'Czynność', share: 54 },
      { title: 'Tryb pobierania', share: 20 },
      { title: 'Stawka', share: 20, align: 'right' },
    ],
    rows: rows.map((row, index) => [`${index + 1}.`, ...row]),
  };
}
