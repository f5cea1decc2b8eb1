import type { Block } from '../layout/blocks.ts';
import type { Point } from '../layout/blocks.ts';

export interface Clause {
  title: string;
  points: readonly Point[];
}

/** Clauses numbered § 1, § 2, … */
export function paragraphs(clauses: readonly Clause[]): Block[] {
  return clauses.flatMap((clause, index): Block[] => [
    { kind: 'section', text: `§ ${index + 1}. ${clause.title}` },
    { kind: 'points', items: clause.points },
  ]);
}

export const electronicChannel: Clause = {
  title: 'Doręczanie dokumentów',
  points: [
    'Dokumenty związane z umową Bank udostępnia na trwałym nośniku w portalu dokumentów, chyba że Klient zażąda postaci papierowej.',
    'O udostępnieniu dokumentu Bank zawiadamia Klienta pocztą elektroniczną albo wiadomością SMS, zgodnie z wybranym kanałem powiadomień.',
    'Klient może w każdej chwili pobrać dokument, sprawdzić jego sumę kontrolną i porównać ją z wpisem w rejestrze dokumentów.',
    'Dokument udostępniony w portalu pozostaje dostępny w niezmienionej postaci także po rozwiązaniu umowy, przez cały okres przechowywania.',
  ],
};

export const complaints: Clause = {
  title: 'Reklamacje',
  points: [
    {
      text: 'Klient może złożyć reklamację:',
      letters: [
        'w portalu dokumentów, wybierając czynność „Wyślij dokumenty”,',
        'pisemnie, na adres siedziby Banku,',
        'ustnie, w placówce Banku albo telefonicznie.',
      ],
    },
    'Bank odpowiada na reklamację bez zbędnej zwłoki, nie później niż w terminie 15 dni roboczych od dnia jej otrzymania, a w sprawach szczególnie złożonych w terminie 35 dni roboczych.',
    'Jeżeli odpowiedź nie uwzględnia roszczeń Klienta, Bank podaje uzasadnienie oraz poucza o możliwości skorzystania z pozasądowego rozwiązania sporu.',
  ],
};

export const personalData: Clause = {
  title: 'Dane osobowe i tajemnica bankowa',
  points: [
    'Administratorem danych osobowych Klienta jest Bank. Dane są przetwarzane w celu zawarcia i wykonania umowy oraz wypełnienia obowiązków, które nakładają na Bank przepisy prawa.',
    'Klient ma prawo dostępu do swoich danych, ich sprostowania, przeniesienia i usunięcia oraz prawo sprzeciwu wobec przetwarzania opartego na prawnie uzasadnionym interesie Banku.',
    'Bank zachowuje w tajemnicy wszystkie informacje dotyczące umowy i ujawnia je tylko w przypadkach wskazanych w przepisach.',
  ],
};

export const liability: Clause = {
  title: 'Odpowiedzialność Stron',
  points: [
    'Bank odpowiada za niewykonanie lub nienależyte wykonanie dyspozycji Klienta, chyba że wynika ono z okoliczności, na które Bank nie miał wpływu.',
    'Klient zabezpiecza dane służące do uwierzytelnienia, nie udostępnia ich innym osobom i bez zwłoki zgłasza Bankowi ich utratę.',
    'Odpowiedzialność Klienta za transakcje nieautoryzowane, dokonane przed zgłoszeniem, jest ograniczona do równowartości 50 euro, z wyjątkiem transakcji, do których Klient doprowadził umyślnie albo wskutek rażącego niedbalstwa.',
  ],
};

export function termination(notice: string): Clause {
  return {
    title: 'Rozwiązanie umowy',
    points: [
      `Klient może wypowiedzieć umowę w każdym czasie, z zachowaniem ${notice} okresu wypowiedzenia. Wypowiedzenie nie wymaga podania przyczyny.`,
      {
        text: 'Bank może wypowiedzieć umowę z zachowaniem dwumiesięcznego okresu wypowiedzenia, jeżeli:',
        letters: [
          'Klient podał nieprawdziwe informacje, które miały wpływ na zawarcie umowy,',
          'Klient w sposób istotny narusza postanowienia umowy i nie zaniechał naruszeń pomimo wezwania,',
          'obowiązek wypowiedzenia wynika z przepisów prawa.',
        ],
      },
      'W ostatnim dniu okresu wypowiedzenia Strony rozliczają należności wynikające z umowy, a Bank udostępnia Klientowi zestawienie rozliczeń.',
    ],
  };
}

export function finalProvisions(): Clause {
  return {
    title: 'Postanowienia końcowe',
    points: [
      'W sprawach nieuregulowanych umową stosuje się przepisy prawa polskiego, w szczególności ustawy – Prawo bankowe oraz Kodeksu cywilnego.',
      'Zmiana umowy wymaga zgody obu Stron wyrażonej w takiej formie, w jakiej umowa została zawarta, chyba że umowa stanowi inaczej.',
      'Umowę sporządzono w języku polskim, w dwóch jednobrzmiących egzemplarzach, po jednym dla każdej ze Stron.',
      'Klient oświadcza, że przed zawarciem umowy otrzymał jej wzór, taryfę opłat i prowizji oraz regulamin i miał możliwość zapoznania się z nimi.',
    ],
  };
}
